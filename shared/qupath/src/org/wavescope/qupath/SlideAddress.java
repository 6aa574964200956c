package org.wavescope.qupath;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a slide is (QP1): {@code service} is the address of a service without a slash at its end, {@code digest} that of a version, or
 * null for the current one.
 */
record SlideAddress(String service, String slide, String digest) {
    private static final Pattern PATH =
            Pattern.compile(
                    "(?<prefix>.*?)(?:/api/v1)?/slides/(?<slide>[A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:/v/(?<digest>[0-9a-f]{32}))?/?");

    /** The slide of the address of its page, of its manifest or of one of its versions; empty for every other address. */
    static Optional<SlideAddress> of(URI uri) {
        boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!web || uri.getHost() == null || uri.getRawUserInfo() != null) return Optional.empty();
        var path = PATH.matcher(uri.getRawPath());
        if (!path.matches()) return Optional.empty();
        return Optional.of(new SlideAddress(serviceOf(uri) + path.group("prefix"), path.group("slide"), path.group("digest")));
    }

    /** Scheme, host and port, in the one form in which two addresses can be compared. */
    static String serviceOf(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = uri.getPort() == -1 || uri.getPort() == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + (usual ? "" : ":" + uri.getPort());
    }

    /** The address of the slide in the API. */
    String api() {
        return service + "/api/v1/slides/" + slide;
    }

    /** The address below which the answers of a version never change. */
    String version(String digest) {
        return api() + "/v/" + digest;
    }
}
