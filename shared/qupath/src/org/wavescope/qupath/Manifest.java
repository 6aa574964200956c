package org.wavescope.qupath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.wavescope.qupath.Slide.Channel;

import static org.wavescope.qupath.ServiceException.Kind.BAD_ANSWER;

/** Reads the manifest of a slide (WI7, ST3). */
final class Manifest {
    private static final int MAX_BYTES = 16 << 20;

    private Manifest() {}

    /** The version at an address: its own, or the current one. */
    static Slide request(Service service, SlideAddress address) throws IOException {
        var current = service.getJson(address.api(), MAX_BYTES);
        var digest = address.digest();
        boolean same = digest == null || digest.equals(text(current, "digest"));
        var stored = same ? current : service.getJson(address.version(digest) + "/manifest", MAX_BYTES);
        try {
            return read(stored, text(current, "title"));
        } catch (RuntimeException cause) {
            throw new ServiceException(BAD_ANSWER, 200, "This is no manifest of Wavescope 1.x: " + address.api(), cause);
        }
    }

    /** Throws RuntimeException where a member is missing or not what it has to be. */
    static Slide read(JsonObject manifest, String title) {
        if (!"wavescope".equals(text(manifest, "format")) || !text(manifest, "version").matches("1\\.\\d{1,4}"))
            throw new IllegalArgumentException("another format or version");
        var mpp = member(manifest, "mpp");
        return new Slide(
                text(manifest, "digest"),
                title,
                manifest.get("width").getAsInt(),
                manifest.get("height").getAsInt(),
                manifest.get("levels").getAsInt(),
                manifest.get("planes").getAsInt(),
                manifest.get("channels").getAsInt(),
                manifest.get("bit_depth").getAsInt(),
                manifest.get("signed").getAsBoolean(),
                channels(member(manifest, "channel_descriptions")),
                mpp == null ? null : number(mpp.getAsJsonObject(), "x"),
                mpp == null ? null : number(mpp.getAsJsonObject(), "y"),
                number(manifest, "plane_spacing_um"),
                number(manifest, "objective_power"));
    }

    private static List<Channel> channels(JsonElement descriptions) {
        var found = new ArrayList<Channel>();
        if (descriptions == null) return found;
        for (var one : descriptions.getAsJsonArray()) {
            var channel = one.getAsJsonObject();
            found.add(new Channel(text(channel, "name"), Integer.parseInt(text(channel, "colour"), 16)));
        }
        return found;
    }

    private static JsonElement member(JsonObject of, String name) {
        var found = of.get(name);
        return found == null || found.isJsonNull() ? null : found;
    }

    private static String text(JsonObject of, String name) {
        var found = member(of, name);
        return found == null ? "" : found.getAsString();
    }

    private static Double number(JsonObject of, String name) {
        var found = member(of, name);
        return found == null ? null : found.getAsDouble();
    }
}
