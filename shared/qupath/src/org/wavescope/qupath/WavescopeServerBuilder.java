package org.wavescope.qupath;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;

import qupath.lib.images.servers.ImageServer;
import qupath.lib.images.servers.ImageServerBuilder;

/** Opens slides by their addresses (QP1). QuPath finds this class by META-INF/services. */
public final class WavescopeServerBuilder implements ImageServerBuilder<BufferedImage> {
    private static final float IDEAL = 4;

    /** Asks the service, so that an address of another site is left to other builders, with the reason. */
    @Override
    public UriImageSupport<BufferedImage> checkImageSupport(URI uri, String... args) throws IOException {
        if (SlideAddress.of(uri).isEmpty()) return null;
        try (var server = new WavescopeServer(uri, args)) {
            return UriImageSupport.createInstance(WavescopeServerBuilder.class, IDEAL, server.getBuilder());
        }
    }

    @Override
    public ImageServer<BufferedImage> buildServer(URI uri, String... args) throws IOException {
        return new WavescopeServer(uri, args);
    }

    @Override
    public String getName() {
        return "Wavescope";
    }

    @Override
    public String getDescription() {
        return "Slides of a Wavescope service, by their addresses";
    }

    @Override
    public Class<BufferedImage> getImageType() {
        return BufferedImage.class;
    }
}
