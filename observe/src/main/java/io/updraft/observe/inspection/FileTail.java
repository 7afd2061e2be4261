package io.updraft.observe.inspection;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of a text file that may be large. */
public final class FileTail {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private FileTail() {}

    /**
     * Reads the last complete lines of a file, at most 4 MB of them.
     *
     * @param path the file, which need not exist
     * @return the lines, oldest first
     * @throws IOException when the file cannot be read
     */
    public static List<String> lines(Path path) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            long begin = Math.max(0, file.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (file.length() - begin)];
            file.seek(begin);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The first line may be cut.
            return (begin == 0 ? text : text.substring(text.indexOf('\n') + 1))
                    .lines()
                    .toList();
        }
    }
}
