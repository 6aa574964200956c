package org.wavescope.qupath;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import qupath.lib.images.servers.ImageServer;
import qupath.lib.io.FeatureCollection;
import qupath.lib.io.GsonTools;
import qupath.lib.io.PathIO;
import qupath.lib.io.PathIO.GeoJsonExportOptions;
import qupath.lib.objects.PathObject;

import static org.wavescope.qupath.ServiceException.Kind.BAD_ANSWER;

/** Annotations of an open slide, both ways, as QuPath's own GeoJSON (QP9, QP10). */
public final class Annotations {
    private static final int MAX_DOCUMENT = 256 << 20; // AN10
    private static final String TYPE = "application/geo+json";

    private static final Set<String> WRITTEN = Set.of("Point", "MultiPoint", "LineString", "Polygon", "MultiPolygon");

    private Annotations() {}

    /**
     * What became of objects that were sent: how many were {@code created}, were there already ({@code unchanged}), got another id beside
     * one that exists with another content ({@code renumbered}), or were {@code skipped}, with the first reasons.
     */
    public record Sent(int created, int unchanged, int renumbered, int skipped, List<String> reasons) {}

    /** All annotations of the slide at its service. They are in no hierarchy yet: addObjects() of a script adds them. */
    public static List<PathObject> fetchAnnotations(ImageServer<?> image) throws IOException {
        var slide = opened(image);
        String url = slide.address().api() + "/annotations?format=geojson";
        try (var document = new ByteArrayInputStream(slide.service().get(url, TYPE, MAX_DOCUMENT))) {
            return PathIO.readObjectsFromGeoJSON(document);
        } catch (JsonParseException cause) {
            throw new ServiceException(BAD_ANSWER, 200, "This is no document of annotations: " + url, cause);
        }
    }

    /** Adds objects to the annotations of the slide at its service, as a layer of their own. It overwrites nothing (AN20). */
    public static Sent sendAnnotations(ImageServer<?> image, Collection<? extends PathObject> objects) throws IOException {
        var slide = opened(image);
        var stored = new HashMap<UUID, String>();
        for (var one : fetchAnnotations(image)) if (canBeWritten(one)) stored.put(one.getID(), written(one));
        var other = new ArrayList<PathObject>();
        var reasons = new ArrayList<String>();
        for (var one : objects) {
            if (!canBeWritten(one)) reasons.add("QuPath writes no such shape: " + one);
            else if (!written(one).equals(stored.get(one.getID()))) other.add(one);
        }
        int same = objects.size() - other.size() - reasons.size();
        if (other.isEmpty()) return new Sent(0, same, 0, reasons.size(), List.copyOf(reasons));
        String url = slide.address().api() + "/annotations:import?format=geojson&name=QuPath";
        var answer = slide.service().postJson(url, TYPE, document(other), MAX_DOCUMENT);
        try {
            return sent(answer, same, reasons);
        } catch (RuntimeException cause) {
            throw new ServiceException(BAD_ANSWER, 200, "This is no answer to an import: " + url, cause);
        }
    }

    private static byte[] document(Collection<PathObject> objects) throws IOException {
        var document = new ByteArrayOutputStream();
        PathIO.exportObjectsAsGeoJSON(document, objects, GeoJsonExportOptions.FEATURE_COLLECTION);
        return document.toByteArray();
    }

    /** An object as QuPath writes it, with rounded coordinates: what is stored is compared in this form. */
    private static String written(PathObject object) {
        return GsonTools.getInstance().toJson(FeatureCollection.wrap(List.of(object)));
    }

    /** QuPath does not end where it writes a line of several parts. */
    private static boolean canBeWritten(PathObject object) {
        return object.hasROI() && WRITTEN.contains(object.getROI().getGeometry().getGeometryType());
    }

    private static Sent sent(JsonObject answer, int same, List<String> reasons) {
        var all = new ArrayList<>(reasons);
        for (var reason : answer.getAsJsonArray("reasons")) all.add(reason.getAsString());
        return new Sent(
                answer.get("created").getAsInt(),
                answer.get("unchanged").getAsInt() + same,
                answer.get("renumbered").getAsInt(),
                answer.get("skipped").getAsInt() + reasons.size(),
                List.copyOf(all));
    }

    /** A rotated or cropped image has coordinates of its own, in which the annotations would lie elsewhere. */
    private static WavescopeServer opened(ImageServer<?> image) {
        if (image instanceof WavescopeServer slide) return slide;
        throw new IllegalArgumentException("The image is no slide of Wavescope, opened by its address without rotation or cropping.");
    }
}
