package io.updraft.pipeline.sink.file;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.UnitPosition;
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
 * The flushed length of a file and the positions of the source at that time. Stored beside the file as {@code .<name>.commit},
 * a few lines that are replaced as a whole.
 *
 * @param length the length of the file in bytes
 * @param columns the columns of the results in it
 * @param commits the commit of each unit
 */
record FileCommit(long length, String columns, Map<String, UnitPosition> commits) {

    private static final String FORM = "updraft 1";

    static Path file(Path results) throws IOException {
        return DurableFiles.beside(results, ".commit");
    }

    /** Reads the commit of a results file; returns null if there is none. */
    static FileCommit read(Path results) throws IOException {
        Path file = file(results);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return parse(Files.readAllLines(file));
        } catch (RuntimeException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    private static FileCommit parse(List<String> lines) {
        if (!lines.get(0).equals(FORM)) {
            throw new IllegalArgumentException("the first line is " + lines.get(0) + ", not " + FORM);
        }
        Map<String, UnitPosition> commits = new HashMap<>();
        for (String line : lines.subList(3, lines.size())) {
            String[] parts = line.split(" ");
            String unit = URLDecoder.decode(parts[2], StandardCharsets.UTF_8);
            // Older versions wrote no seen rows.
            ProcessedRanges seen = parts.length < 4 ? ProcessedRanges.NONE : ProcessedRanges.parse(parts[3]);
            commits.put(unit, new UnitPosition(unit, Long.parseLong(parts[0]), Long.parseLong(parts[1]), seen));
        }
        return new FileCommit(
                Long.parseLong(lines.get(1)), URLDecoder.decode(lines.get(2), StandardCharsets.UTF_8), commits);
    }

    /** Replaces the previous commit; returns when this one is on the disk. */
    void write(Path results) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of(FORM, Long.toString(length), URLEncoder.encode(columns, StandardCharsets.UTF_8)));
        commits.values()
                .forEach(commit -> lines.add(commit.position() + " " + commit.closedUntil() + " "
                        + URLEncoder.encode(commit.unit(), StandardCharsets.UTF_8) + " "
                        + commit.processed().text()));
        Path hidden = DurableFiles.beside(results, ".commit.tmp");
        Files.write(hidden, lines);
        DurableFiles.sync(hidden);
        DurableFiles.replace(hidden, file(results));
        DurableFiles.syncFolder(DurableFiles.folder(results));
    }
}
