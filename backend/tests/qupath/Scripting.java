import java.io.File;
import java.net.URI;
import java.util.List;

import groovy.lang.GroovyShell;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import qupath.lib.images.ImageData;
import qupath.lib.images.servers.ImageServers;
import qupath.lib.scripting.QP;

/** Runs scripts on an image, as QuPath does without a window: the address of the image, then files. */
final class Scripting {
    public static void main(String[] args) throws Exception {
        var image = new ImageData<>(ImageServers.buildServer(URI.create(args[0])));
        QP.setBatchProjectAndImage(null, image);
        var configuration = new CompilerConfiguration();
        configuration.addCompilationCustomizers(new ImportCustomizer().addStaticStars("qupath.lib.scripting.QP"));
        for (var file : List.of(args).subList(1, args.length)) new GroovyShell(configuration).evaluate(new File(file));
        System.out.println(image.getHierarchy().getAnnotationObjects().size() + " in QuPath");
    }
}
