// Adds the annotations of the open slide in QuPath to those that the service has; nothing there is overwritten.
import org.wavescope.qupath.Annotations

def sent = Annotations.sendAnnotations(getCurrentServer(), getAnnotationObjects())
println "${sent.created()} added, ${sent.unchanged()} already there, ${sent.renumbered()} of them beside another version, ${sent.skipped()} skipped"
sent.reasons().each { println it }
