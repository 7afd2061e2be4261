package io.updraft.observe.death;

import io.updraft.base.text.VisibleText;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What was last seen of a process that has ended: why, its last counters, the end of its log. A text, whose first line says which
 * process has ended and why. The process that writes it is that of the run.
 *
 * @param process what the process was, for the name of the file, such as {@code worker-1}
 * @param pid its process
 * @param startedMillis when the process was started, milliseconds since the epoch
 * @param why the first line
 * @param last its last counters; null for none
 * @param log its log, which need not exist; null for none
 */
public record DeathRecord(String process, long pid, long startedMillis, String why, EngineSnapshot last, Path log) {
    static final String KIND = "death-";

    /** What begins the line that names the process of the run, which has written the record. */
    static final String RUN_LINE = "run: ";

    static final String CAPSULE_LINE = "capsule: ";
    private static final int LOG_BYTES = 8 * 1024;
    private static final int LOG_LINES = 40;

    /**
     * Writes the record to a new file.
     *
     * @param directory the directory of records
     * @return the file
     * @throws IOException when it cannot be written
     */
    public Path writeTo(DeathDirectory directory) throws IOException {
        Path file = directory.newFile(KIND, process.replaceAll("[^A-Za-z0-9]+", "-") + "-" + pid, ".txt");
        try (Writer out = DeathDirectory.open(file)) {
            out.write(VisibleText.of(why) + "\n");
            out.write(RUN_LINE + ProcessHandle.current().pid() + "\n");
            Path capsule = directory.capsuleOf(pid, startedMillis);
            if (capsule != null) {
                out.write(CAPSULE_LINE + capsule + "\n");
            }
            out.write(counters() + logEnd());
        }
        return file;
    }

    private String counters() {
        if (last == null) {
            return "\nThere are no counters.\n";
        }
        StringBuilder text = new StringBuilder("\nLAST COUNTERS, of a worker with those of its earlier processes\n");
        text.append(String.format(
                "    %-24s %12s %12s %12s %12s %10s %10s %8s%n",
                "component", "emitted", "executed", "acked", "failed", "queued", "in flight", "errors"));
        for (ComponentSnapshot component : last.components()) {
            if (component.tasks() > 0) {
                text.append(row(component));
            }
        }
        return text.toString();
    }

    private static String row(ComponentSnapshot component) {
        return String.format(
                Locale.ROOT,
                "    %-24s %12d %12d %12d %12d %10d %10d %8d%n",
                component.id(),
                component.emitted(),
                component.executed(),
                component.acked(),
                component.failed(),
                component.queued(),
                component.inFlight(),
                component.errors());
    }

    private String logEnd() {
        if (log == null) {
            return "";
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - LOG_BYTES));
            byte[] tail = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(tail);
            List<String> lines =
                    new String(tail, StandardCharsets.UTF_8).lines().toList();
            int first = Math.max(0, lines.size() - LOG_LINES);
            return "\nEND OF " + log + "\n    " + String.join("\n    ", lines.subList(first, lines.size())) + "\n";
        } catch (IOException e) {
            return "\nThere is no log " + log + ".\n";
        }
    }
}
