package org.wavescope.qupath;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Personal tokens, one for each service that has accounts (QP7). They are in memory: no project file, no log and no other service gets
 * one.
 */
public final class Tokens {
    private static final Map<String, String> BY_SERVICE = new ConcurrentHashMap<>();

    static {
        String service = setting("wavescope.service", "WAVESCOPE_SERVICE");
        String token = setting("wavescope.token", "WAVESCOPE_TOKEN");
        if (service != null && token != null) use(service, token);
    }

    private Tokens() {}

    /** From now on requests to the service at this address, such as https://host, have this token. */
    public static void use(String service, String token) {
        if (!token.matches("[!-~]+")) throw new IllegalArgumentException("The token has to be a text without spaces.");
        var uri = URI.create(service.strip());
        if (uri.getScheme() == null || uri.getHost() == null)
            throw new IllegalArgumentException("The address of the service has to be of the form https://HOST[:PORT][/PATH].");
        BY_SERVICE.put(SlideAddress.serviceOf(uri) + uri.getRawPath().replaceAll("/+$", ""), token);
    }

    static Optional<String> of(String service) {
        return Optional.ofNullable(BY_SERVICE.get(service));
    }

    private static String setting(String property, String variable) {
        return System.getProperty(property, System.getenv(variable));
    }
}
