package io.updraft.cli.operator;

import io.updraft.cluster.inspection.InspectionJson;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the newest letters of a dead letter file, whose lines are JSON objects. */
final class DeadLetterTail {
    /** The part of the file that is read, from its end. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private DeadLetterTail() {}

    /** {@return the last letters of the file, oldest first; a line that is not JSON is returned as text} */
    static List<Object> read(Path path, int most) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        List<String> lines =
                lastBytes(path).lines().filter(line -> !line.isBlank()).toList();
        List<Object> letters = new ArrayList<>();
        for (String line : lines.subList(Math.max(0, lines.size() - Math.max(0, most)), lines.size())) {
            letters.add(parsed(line));
        }
        return letters;
    }

    private static String lastBytes(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            long begin = Math.max(0, file.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (file.length() - begin)];
            file.seek(begin);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The first line may be cut.
            return begin == 0 ? text : text.substring(text.indexOf('\n') + 1);
        }
    }

    private static Object parsed(String line) {
        try {
            return InspectionJson.read(line);
        } catch (IOException e) {
            return line;
        }
    }
}
