package io.updraft.observe.death;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.RunDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The processes of which something is left in a directory. */
public final class Deaths {
    private static final Pattern NAME = Pattern.compile(".*-(\\d{1,18})-\\d{8}-\\d{6}\\.txt");

    /** Why, the run, the capsule. */
    private static final int HEAD_LINES = 3;

    private static final Comparator<Death> NEWEST_FIRST =
            Comparator.comparingLong(Death::millis).reversed();

    private Deaths() {}

    /**
     * One process that has ended.
     *
     * @param millis when, milliseconds since the epoch; of a run that was killed, when it last wrote to its log
     * @param pid its number; null if unknown
     * @param why which process, and why
     * @param record the file with what was last seen of it; null for none
     * @param capsule the file that it wrote when its heap was full; null for none
     * @param run the process of its run; null if unknown
     */
    public record Death(long millis, Long pid, String why, Path record, Path capsule, Long run) {
        /** {@return the death as a JSON object} */
        public JsonObject toJson() {
            return JsonObject.of("millis", millis)
                    .with("pid", pid)
                    .with("why", why)
                    .with("record", record == null ? null : record.toString())
                    .with("capsule", capsule == null ? null : capsule.toString())
                    .with("run", run);
        }
    }

    /**
     * Lists the processes of a state directory, and the runs that have ended without a word, the newest first.
     *
     * @param state the directory of the state
     * @return the processes
     * @throws IOException when the directory of deaths exists and cannot be read
     */
    public static List<Death> all(Path state) throws IOException {
        List<Death> deaths = new ArrayList<>(in(DeathDirectory.in(state)));
        for (RunDirectory run : RunDirectory.all(state)) {
            RunDescription ended = run.description();
            boolean isKnown = deaths.stream()
                    .anyMatch(death -> Objects.equals(death.pid, ended.pid()) && death.millis >= ended.startedMillis());
            if (!ended.isAlive() && !isKnown) {
                deaths.add(killed(ended));
            }
        }
        deaths.sort(NEWEST_FIRST);
        return deaths;
    }

    private static Death killed(RunDescription run) {
        long lastWritten = run.log().toFile().lastModified();
        String why = run.command() + " " + run.program() + " (pid " + run.pid()
                + ") was killed, or its JVM crashed: it has said nothing of its end";
        return new Death(Math.max(lastWritten, run.startedMillis()), run.pid(), why, run.log(), null, run.pid());
    }

    /**
     * Lists the processes, the newest first.
     *
     * @param directory the directory, which need not exist
     * @return the processes; a file without a readable first line is listed with the reason
     * @throws IOException when the directory exists and cannot be read
     */
    public static List<Death> in(DeathDirectory directory) throws IOException {
        if (!Files.notExists(directory.path())) {
            Files.list(directory.path()).close();
        }
        List<Death> deaths = new ArrayList<>();
        Set<Path> named = new HashSet<>();
        for (Path file : directory.newestFirst(DeathRecord.KIND)) {
            List<String> head = head(file);
            Path capsule = capsule(head);
            add(deaths, file, head, file, capsule);
            named.add(capsule);
        }
        for (Path file : directory.newestFirst(DeathDirectory.CAPSULE)) {
            if (!named.contains(file)) {
                add(deaths, file, head(file), null, file);
            }
        }
        deaths.sort(NEWEST_FIRST);
        return deaths;
    }

    private static void add(List<Death> deaths, Path file, List<String> head, Path record, Path capsule) {
        Long run = line(head, DeathRecord.RUN_LINE).map(Deaths::number).orElse(null);
        deaths.add(new Death(file.toFile().lastModified(), pid(file), head.get(0), record, capsule, run));
    }

    private static Long pid(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.valueOf(name.group(1)) : null;
    }

    private static Path capsule(List<String> head) {
        try {
            return line(head, DeathRecord.CAPSULE_LINE).map(Path::of).orElse(null);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Returns what follows the beginning of one of the lines after the first. */
    private static Optional<String> line(List<String> head, String beginning) {
        return head.stream()
                .skip(1)
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .findFirst();
    }

    private static Long number(String text) {
        return text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }

    private static List<String> head(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            List<String> head = reader.lines().limit(HEAD_LINES).toList();
            return head.isEmpty() ? List.of("unknown process: the file is empty (was the disk full?)") : head;
        } catch (IOException | UncheckedIOException e) {
            return List.of("unknown process: the file cannot be read: " + e);
        }
    }
}
