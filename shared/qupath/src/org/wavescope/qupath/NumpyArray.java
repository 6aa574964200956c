package org.wavescope.qupath;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The samples of a file of NumPy with the shape (height, width, channels): row by row, the channels of a pixel side by side. */
record NumpyArray(int height, int width, int channels, int bytesPerSample, boolean signed, ByteBuffer samples) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final Pattern HEADER =
            Pattern.compile(
                    "\\{'descr': '[<|]([iu])([12])', 'fortran_order': False, 'shape': \\((\\d{1,8}), (\\d{1,8}), (\\d{1,8})\\), \\}\\s*");

    /** Reads integers of 8 or 16 bits. Throws IllegalArgumentException for every other content. */
    static NumpyArray read(byte[] file) {
        var buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        try {
            for (byte expected : MAGIC) if (buffer.get() != expected) throw wrong();
            int major = buffer.getShort() & 0xff;
            var header = new byte[major == 1 ? buffer.getShort() & 0xffff : Math.min(buffer.getInt() & 0xffff_ffff, 1 << 16)];
            buffer.get(header);
            var found = HEADER.matcher(new String(header, StandardCharsets.ISO_8859_1));
            if (!found.matches()) throw wrong();
            int height = Integer.parseInt(found.group(3)), width = Integer.parseInt(found.group(4));
            int channels = Integer.parseInt(found.group(5)), bytes = Integer.parseInt(found.group(2));
            if (Math.multiplyExact(Math.multiplyExact((long) height, width), (long) channels * bytes) != buffer.remaining())
                throw wrong();
            var samples = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
            return new NumpyArray(height, width, channels, bytes, found.group(1).equals("i"), samples);
        } catch (BufferUnderflowException | ArithmeticException | NegativeArraySizeException cause) {
            throw wrong();
        }
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException("no array (height, width, channels) of integers of 8 or 16 bits");
    }

    /** A sample in the range of its type. */
    int sample(int row, int column, int channel) {
        int at = (row * width + column) * channels + channel;
        if (bytesPerSample == 1) return signed ? samples.get(at) : samples.get(at) & 0xff;
        return signed ? samples.getShort(2 * at) : samples.getShort(2 * at) & 0xffff;
    }
}
