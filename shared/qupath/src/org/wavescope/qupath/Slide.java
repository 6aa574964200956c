package org.wavescope.qupath;

import java.util.ArrayList;
import java.util.List;

/**
 * One version of a slide, as its manifest describes it (QP2). Missing numbers are null. {@code channels} is empty for a picture in
 * colour or grey, which has {@code samples} values per pixel.
 */
record Slide(
        String digest,
        String title,
        int width,
        int height,
        int levels,
        int planes,
        int samples,
        int bits,
        boolean signed,
        List<Channel> channels,
        Double umPerPixelX,
        Double umPerPixelY,
        Double planeSpacingUm,
        Double objective) {
    static final int TILE = 256;
    private static final int MAX_SIDE = 1 << 24;
    private static final int MAX_CHANNELS = 64;

    /** Its colour is 0xRRGGBB. */
    record Channel(String name, int colour) {}

    /** Pixels of a level. */
    record Level(int width, int height) {}

    /** Refuses what no version can be, before anything is allocated for it. */
    Slide {
        boolean picture = channels.isEmpty() && bits == 8 && !signed && (samples == 1 || samples == 3);
        boolean depth = bits >= 1 && bits <= 16 && samples >= 1 && samples <= MAX_CHANNELS;
        boolean sides = width >= 1 && width <= MAX_SIDE && height >= 1 && height <= MAX_SIDE && planes >= 1 && planes <= 4096;
        if (!sides || !depth || !(picture || channels.size() == samples) || levels != levelsOf(width, height))
            throw new IllegalArgumentException("a manifest whose members do not fit together");
        channels = List.copyOf(channels);
    }

    /** How many levels there are until one tile has the whole slide. */
    static int levelsOf(int width, int height) {
        int levels = 1;
        for (int side = Math.max(width, height); side > TILE; side = (side + 1) / 2) levels++;
        return levels;
    }

    boolean isColour() {
        return channels.isEmpty() && samples == 3;
    }

    int bytesPerSample() {
        return bits > 8 ? 2 : 1;
    }

    /** Level n has the downsample 2^n and a pixel for every one that was begun. */
    List<Level> pyramid() {
        var found = new ArrayList<Level>();
        for (int level = 0; level < levels; level++) found.add(new Level(sideAt(width, level), sideAt(height, level)));
        return found;
    }

    private static int sideAt(int side, int level) {
        return (side + (1 << level) - 1) >> level;
    }

    /** The request for a tile, below the address of the version. Column and row count tiles of the level. */
    String tilePath(int level, int column, int row, int plane) {
        if (channels.isEmpty()) return "/tiles/" + plane + "/" + level + "/" + column + "/" + row + ".png";
        var size = pyramid().get(level);
        int x = column * TILE, y = row * TILE;
        long left = (long) x << level, top = (long) y << level;
        int columns = Math.min(TILE, size.width() - x), rows = Math.min(TILE, size.height() - y);
        String box = "x=" + left + "&y=" + top + "&width=" + columns + "&height=" + rows;
        return "/region?" + box + "&level=" + level + "&z=" + plane + "&format=npy";
    }
}
