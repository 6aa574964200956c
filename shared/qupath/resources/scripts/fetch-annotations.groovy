// Adds the annotations that the service has of the open slide to those in QuPath.
import org.wavescope.qupath.Annotations

def found = Annotations.fetchAnnotations(getCurrentServer())
addObjects(found)
println "${found.size()} annotations fetched"
