import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.google.gson.JsonObject;
import org.wavescope.qupath.Annotations;
import org.wavescope.qupath.ServiceException;
import org.wavescope.qupath.Tokens;
import qupath.lib.images.servers.ImageServer;
import qupath.lib.images.servers.ImageServerBuilder.ServerBuilder;
import qupath.lib.images.servers.ImageServerProvider;
import qupath.lib.images.servers.ImageServers;
import qupath.lib.io.GsonTools;
import qupath.lib.io.PathIO;
import qupath.lib.io.PathIO.GeoJsonExportOptions;
import qupath.lib.objects.PathObject;
import qupath.lib.regions.RegionRequest;

/** Does with QuPath what each line of the input names, and answers it with a line of JSON. */
final class Trial {
    private ImageServer<?> image;
    private List<PathObject> fetched = List.of();

    public static void main(String[] args) {
        var trial = new Trial();
        ImageServerProvider.setCache(new ConcurrentHashMap<RegionRequest, BufferedImage>(), BufferedImage.class);
        try (var lines = new Scanner(System.in)) {
            while (lines.hasNextLine()) System.out.println(GsonTools.getInstance().toJson(trial.answer(lines.nextLine().split(" "))));
        }
    }

    private Object answer(String[] line) {
        try {
            return switch (line[0]) {
                case "open" -> opened(ImageServers.buildServer(URI.create(line[1])));
                case "reopen" -> reopened();
                case "region" -> region(IntStream.range(1, 8).mapToObj(i -> Integer.valueOf(line[i])).toList(), Path.of(line[8]));
                case "fetch" -> fetch();
                case "save" -> save(Path.of(line[1]));
                case "back" -> Annotations.sendAnnotations(image, fetched);
                case "send" -> send(Path.of(line[1]));
                case "token" -> token(line[1], line[2]);
                default -> throw new IllegalArgumentException(line[0]);
            };
        } catch (Exception error) {
            return failure(error);
        }
    }

    private Object opened(ImageServer<?> server) {
        image = server;
        var metadata = server.getMetadata();
        var answer = new JsonObject();
        answer.addProperty("path", server.getPath());
        answer.addProperty("builder", GsonTools.getInstance().toJson(server.getBuilder(), ServerBuilder.class));
        answer.add("metadata", GsonTools.getInstance().toJsonTree(metadata));
        answer.addProperty("um", metadata.getPixelWidthMicrons());
        answer.addProperty("z", metadata.getZSpacingMicrons());
        return answer;
    }

    /** As a project does: from the JSON of the builder. */
    private Object reopened() throws Exception {
        var gson = GsonTools.getInstance();
        var builder = gson.fromJson(gson.toJson(image.getBuilder(), ServerBuilder.class), ServerBuilder.class);
        return opened(((ServerBuilder<?>) builder).build());
    }

    /** level, downsample, x, y, width, height, plane: the samples go to a file, row by row, as integers of 32 bits. */
    private Object region(List<Integer> box, Path file) throws IOException {
        var request =
                RegionRequest.createInstance(
                        image.getPath(), box.get(1), box.get(2), box.get(3), box.get(4), box.get(5), box.get(6), 0);
        var raster = ((BufferedImage) image.readRegion(request)).getRaster();
        int[] samples = raster.getPixels(0, 0, raster.getWidth(), raster.getHeight(), (int[]) null);
        var bytes = ByteBuffer.allocate(4 * samples.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(samples);
        Files.write(file, bytes.array());
        return List.of(raster.getHeight(), raster.getWidth(), raster.getNumBands());
    }

    private Object fetch() throws IOException {
        fetched = Annotations.fetchAnnotations(image);
        return fetched.size();
    }

    private Object save(Path file) throws IOException {
        PathIO.exportObjectsAsGeoJSON(file, fetched, GeoJsonExportOptions.FEATURE_COLLECTION);
        return fetched.size();
    }

    private Object send(Path file) throws IOException {
        var objects = PathIO.readObjectsFromGeoJSON(new ByteArrayInputStream(Files.readAllBytes(file)));
        return Annotations.sendAnnotations(image, objects);
    }

    private static Object token(String service, String token) {
        Tokens.use(service, token);
        return "used";
    }

    /** Of an error the messages of it and of all that it comes from, and the kind that one of them names. */
    private static Object failure(Throwable error) {
        var answer = new JsonObject();
        var messages = new ArrayList<String>();
        var open = new ArrayList<>(List.of(error));
        while (!open.isEmpty()) {
            var one = open.remove(0);
            messages.add(one.getMessage());
            if (one instanceof ServiceException stated) answer.addProperty("kind", stated.kind.name());
            if (one.getCause() != null) open.add(one.getCause());
            open.addAll(List.of(one.getSuppressed()));
        }
        answer.addProperty("error", String.join("\n", messages));
        return answer;
    }
}
