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
 * One counter's part of the result: a file that appears whole, under a name that says what it is worth.
 *
 * <p>A counter that was restarted has lost what it had counted. It knows by the mark that its forerunner left, and says
 * so at once with a mark of its own: no result can be complete any more.
 */
final class PartFile {
    /** Everything this counter had to count. */
    static final String COMPLETE = ".complete";

    /** What was counted before the topology was stopped. */
    static final String PARTIAL = ".partial";

    /** The counter was restarted and has lost counts. */
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
