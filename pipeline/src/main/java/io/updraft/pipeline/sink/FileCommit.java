package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Seen;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of a file was flushed, and up to where the source was done by then: a file of a few lines beside it, {@code
 * .<name>.commit}, replaced as a whole.
 *
 * @param length of the file in bytes
 * @param columns of the results in it
 * @param commits of each unit
 */
record FileCommit(long length, String columns, Map<String, Commit> commits) {

    private static final String FORM = "updraft 1";

    static Path file(Path results) throws IOException {
        return Disk.beside(results, ".commit");
    }

    /** The one of a file; null if there is none. */
    static FileCommit read(Path results) throws IOException {
        Path file = file(results);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return parse(Files.readAllLines(file));
        } catch (RuntimeException e) {
            throw new IOException(file + " is not as it was written: " + e.getMessage(), e);
        }
    }

    private static FileCommit parse(List<String> lines) {
        if (!lines.get(0).equals(FORM)) {
            throw new IllegalArgumentException("it begins with " + lines.get(0) + ", not with " + FORM);
        }
        Map<String, Commit> commits = new HashMap<>();
        for (String line : lines.subList(3, lines.size())) {
            String[] parts = line.split(" ");
            String unit = URLDecoder.decode(parts[2], StandardCharsets.UTF_8);
            // Older versions have written no rows that were seen.
            Seen seen = parts.length < 4 ? Seen.NONE : Seen.parse(parts[3]);
            commits.put(unit, new Commit(unit, Long.parseLong(parts[0]), Long.parseLong(parts[1]), seen));
        }
        return new FileCommit(
                Long.parseLong(lines.get(1)), URLDecoder.decode(lines.get(2), StandardCharsets.UTF_8), commits);
    }

    /** Puts this in the place of the one before; returns when it is on the disk. */
    void write(Path results) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of(FORM, Long.toString(length), URLEncoder.encode(columns, StandardCharsets.UTF_8)));
        commits.values()
                .forEach(commit -> lines.add(commit.position() + " " + commit.closedUntil() + " "
                        + URLEncoder.encode(commit.unit(), StandardCharsets.UTF_8) + " "
                        + commit.seen().text()));
        Path hidden = Disk.beside(results, ".commit.tmp");
        Files.write(hidden, lines);
        Disk.sync(hidden);
        Disk.replace(hidden, file(results));
        Disk.syncFolder(Disk.folder(results));
    }
}
