package io.updraft.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** Lines and packed bytes for the files of tests. */
public final class TestFiles {

    private TestFiles() {}

    /** A JSON object with its number in each line. */
    public static String lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "{\"n\":" + i + "}\n").collect(Collectors.joining());
    }

    /** Lines that can hardly be packed: a JSON object with a random number in each. */
    public static String randomLines(int count) {
        return new Random(1).longs(count).mapToObj(n -> "{\"n\":" + n + "}\n").collect(Collectors.joining());
    }

    public static byte[] gzip(String text) throws IOException {
        return gzip(text.getBytes(UTF_8));
    }

    public static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    public static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }
}
