package org.wavescope.qupath;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/** Tries the parts that need nothing of QuPath: each line of the input names one, and a line of the output is its value. */
final class Parts {
    private Parts() {}

    public static void main(String[] args) {
        try (var lines = new Scanner(System.in)) {
            while (lines.hasNextLine()) System.out.println(answer(lines.nextLine().split(" ")));
        }
    }

    private static String answer(String[] line) {
        try {
            return switch (line[0]) {
                case "address" -> SlideAddress.of(URI.create(line[1])).map(Parts::shown).orElse("none");
                case "levels" -> levels(slide(line));
                case "tile" -> slide(line).tilePath(number(line[4]), number(line[5]), number(line[6]), number(line[7]));
                case "array" -> array(Path.of(line[1]));
                case "token" -> token(line[1], line[2], line[3]);
                default -> "?";
            };
        } catch (IllegalArgumentException error) {
            return "refused: " + error.getMessage();
        } catch (java.io.IOException error) {
            return error.toString();
        }
    }

    private static String shown(SlideAddress address) {
        return "%s %s %s".formatted(address.service(), address.slide(), address.digest());
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    /** WIDTH HEIGHT CHANNELS, of 16 bits where there is a name for each channel. */
    private static Slide slide(String[] line) {
        int width = number(line[1]), height = number(line[2]), samples = number(line[3]);
        var channels = new ArrayList<Slide.Channel>();
        boolean picture = samples == 1 || samples == 3;
        for (int c = 0; c < samples && !picture; c++) channels.add(new Slide.Channel("c" + c, 0));
        int levels = width < 1 || height < 1 ? 1 : Slide.levelsOf(width, height);
        return new Slide("d", "t", width, height, levels, 1, samples, picture ? 8 : 16, false, channels, null, null, null, null);
    }

    private static String levels(Slide slide) {
        var sizes = new ArrayList<String>();
        for (var level : slide.pyramid()) sizes.add(level.width() + "x" + level.height());
        return String.join(" ", sizes);
    }

    private static String array(Path file) throws java.io.IOException {
        var array = NumpyArray.read(Files.readAllBytes(file));
        long sum = 0, at = 0;
        for (int y = 0; y < array.height(); y++)
            for (int x = 0; x < array.width(); x++) for (int c = 0; c < array.channels(); c++) sum += ++at * array.sample(y, x, c);
        return List.of(array.height(), array.width(), array.channels(), array.bytesPerSample(), array.signed(), sum).toString();
    }

    /** Whether a service gets the token that is for another address. */
    private static String token(String service, String token, String address) {
        Tokens.use(service, token);
        return Tokens.of(SlideAddress.of(URI.create(address)).orElseThrow().service()).map(token::equals).orElse(false).toString();
    }
}
