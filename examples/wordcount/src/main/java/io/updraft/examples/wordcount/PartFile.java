package io.updraft.examples.wordcount;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * One counter's part of the result: a file that appears complete, in one step. The suffix of its name says whether the counts are
 * complete.
 *
 * <p>A restarted counter has lost its counts. It finds the mark file of the instance before it, and writes the mark {@link
 * #LOST} at once: the result can no longer be complete.
 */
final class PartFile {
    /** The suffix of a part with all words of this counter. */
    static final String COMPLETE = ".complete";

    /** The suffix of a part with the words that were counted before the topology stopped. */
    static final String PARTIAL = ".partial";

    /** The suffix of the mark of a counter that has restarted and lost its counts. */
    static final String LOST = ".lost";

    private static final String STARTED = ".started";

    private final Path directory;
    private final int task;
    private final boolean restarted;

    private PartFile(Path directory, int task, boolean restarted) {
        this.directory = directory;
        this.task = task;
        this.restarted = restarted;
    }

    static PartFile start(Path directory, int task) {
        boolean restarted = !mark(directory, task, STARTED);
        if (restarted) {
            mark(directory, task, LOST);
        }
        return new PartFile(directory, task, restarted);
    }

    private static boolean mark(Path directory, int task, String mark) {
        try {
            Files.createFile(name(directory, task, mark));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path name(Path directory, int task, String suffix) {
        return directory.resolve("part-" + task + suffix);
    }

    void writeAll(Map<String, long[]> counts) {
        write(counts, restarted ? PARTIAL : COMPLETE);
    }

    void writePartial(Map<String, long[]> counts) {
        write(counts, PARTIAL);
    }

    private void write(Map<String, long[]> counts, String worth) {
        Path unfinished = name(directory, task, ".writing");
        try {
            try (Writer writer = Files.newBufferedWriter(unfinished, StandardCharsets.US_ASCII)) {
                for (Map.Entry<String, long[]> count : counts.entrySet()) {
                    writer.write(count.getValue()[0] + " " + count.getKey() + "\n");
                }
            }
            Files.move(unfinished, name(directory, task, worth), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
