package org.wavescope.qupath;

import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.List;

import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageInputStream;

import qupath.lib.common.ColorTools;
import qupath.lib.images.servers.AbstractTileableImageServer;
import qupath.lib.images.servers.ImageChannel;
import qupath.lib.images.servers.ImageServerBuilder.DefaultImageServerBuilder;
import qupath.lib.images.servers.ImageServerBuilder.ServerBuilder;
import qupath.lib.images.servers.ImageServerMetadata;
import qupath.lib.images.servers.ImageServerMetadata.ImageResolutionLevel;
import qupath.lib.images.servers.PixelType;
import qupath.lib.images.servers.TileRequest;

import static org.wavescope.qupath.ServiceException.Kind.BAD_ANSWER;

/** One version of a slide as an image of QuPath: its tiles are the service's pixels, bit for bit (QP3, QP4). */
public final class WavescopeServer extends AbstractTileableImageServer {
    private static final int HEADERS = 1 << 16; // more than a PNG or an array has beside its samples

    private final URI uri;
    private final String[] args;
    private final SlideAddress address;
    private final Service service;
    private final Slide slide;
    private final ImageServerMetadata original;

    WavescopeServer(URI uri, String... args) throws IOException {
        this.uri = uri;
        this.args = args.clone();
        address = SlideAddress.of(uri).orElseThrow(() -> new IOException("This is no address of a slide of Wavescope: " + uri));
        service = new Service(address.service());
        slide = Manifest.request(service, address);
        original = metadata(slide);
    }

    private static ImageServerMetadata metadata(Slide slide) {
        var levels = new ImageResolutionLevel.Builder(slide.width(), slide.height());
        double downsample = 1;
        for (var level : slide.pyramid()) {
            levels.addLevel(downsample, level.width(), level.height());
            downsample *= 2;
        }
        var described = new ImageServerMetadata.Builder()
                .name(slide.title())
                .width(slide.width())
                .height(slide.height())
                .sizeZ(slide.planes())
                .levels(levels.build())
                .preferredTileSize(Slide.TILE, Slide.TILE)
                .rgb(slide.isColour())
                .pixelType(pixelType(slide))
                .channels(channels(slide));
        if (slide.umPerPixelX() != null) described.pixelSizeMicrons(slide.umPerPixelX(), slide.umPerPixelY());
        if (slide.planeSpacingUm() != null) described.zSpacingMicrons(slide.planeSpacingUm());
        if (slide.objective() != null) described.magnification(slide.objective());
        return described.build();
    }

    private static PixelType pixelType(Slide slide) {
        if (slide.bytesPerSample() == 1) return slide.signed() ? PixelType.INT8 : PixelType.UINT8;
        return slide.signed() ? PixelType.INT16 : PixelType.UINT16;
    }

    private static List<ImageChannel> channels(Slide slide) {
        if (slide.isColour()) return ImageChannel.getDefaultRGBChannels();
        if (slide.channels().isEmpty()) return List.of(ImageChannel.getInstance("Grey", ColorTools.packRGB(255, 255, 255)));
        return slide.channels().stream()
                .map(one -> ImageChannel.getInstance(one.name(), 0xff000000 | one.colour()))
                .toList();
    }

    SlideAddress address() {
        return address;
    }

    Service service() {
        return service;
    }

    @Override
    protected BufferedImage readTile(TileRequest tile) throws IOException {
        int column = tile.getTileX() / Slide.TILE, row = tile.getTileY() / Slide.TILE;
        String url = address.version(slide.digest()) + slide.tilePath(tile.getLevel(), column, row, tile.getZ());
        int max = tile.getTileWidth() * tile.getTileHeight() * slide.samples() * slide.bytesPerSample() + HEADERS;
        try {
            var picture = blank(tile.getTileWidth(), tile.getTileHeight());
            if (slide.channels().isEmpty()) copyPng(service.get(url, "image/png", max), picture.getRaster());
            else copyArray(service.get(url, "*/*", max), picture.getRaster());
            return picture;
        } catch (IllegalArgumentException cause) {
            throw new ServiceException(BAD_ANSWER, 200, "This is not the tile that was requested: " + url, cause);
        }
    }

    private BufferedImage blank(int width, int height) throws IOException {
        if (slide.isColour()) return createDefaultRGBImage(width, height);
        var model = getDefaultColorModel();
        return new BufferedImage(model, model.createCompatibleWritableRaster(width, height), false, null);
    }

    /** Copies samples: no colour profile and no conversion of colours comes between. */
    private void copyPng(byte[] file, WritableRaster into) throws IOException {
        var reader = ImageIO.getImageReadersByFormatName("png").next();
        try (var input = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            reader.setInput(input, true, true);
            if (reader.getWidth(0) != into.getWidth() || reader.getHeight(0) != into.getHeight())
                throw new IllegalArgumentException("another size");
            var samples = reader.read(0).getRaster();
            if (samples.getNumBands() != slide.samples() || samples.getSampleModel().getSampleSize(0) != slide.bits())
                throw new IllegalArgumentException("another number of samples");
            into.setRect(samples);
        } catch (javax.imageio.IIOException | IndexOutOfBoundsException cause) {
            throw new IllegalArgumentException("no PNG", cause);
        } finally {
            reader.dispose();
        }
    }

    private void copyArray(byte[] file, WritableRaster into) {
        var array = NumpyArray.read(file);
        boolean type = array.bytesPerSample() == slide.bytesPerSample() && array.signed() == slide.signed();
        if (!type || array.width() != into.getWidth() || array.height() != into.getHeight() || array.channels() != slide.samples())
            throw new IllegalArgumentException("another type or size");
        for (int y = 0; y < array.height(); y++)
            for (int x = 0; x < array.width(); x++)
                for (int c = 0; c < array.channels(); c++) into.setSample(x, y, c, array.sample(y, x, c));
    }

    @Override
    public Collection<URI> getURIs() {
        return List.of(uri);
    }

    @Override
    public String getServerType() {
        return "Wavescope";
    }

    @Override
    public ImageServerMetadata getOriginalMetadata() {
        return original;
    }

    @Override
    protected String createID() {
        return "Wavescope: " + address.version(slide.digest());
    }

    @Override
    protected ServerBuilder<BufferedImage> createServerBuilder() {
        return DefaultImageServerBuilder.createInstance(WavescopeServerBuilder.class, getMetadata(), uri, args);
    }

    /** Nothing stays open between two requests. */
    @Override
    public void close() {}
}
