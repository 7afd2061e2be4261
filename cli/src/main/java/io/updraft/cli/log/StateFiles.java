package io.updraft.cli.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What runs leave in the state directory: the newest is kept, and all that belongs to a process that lives. Files that cannot be listed
 * or deleted are no reason not to run: the next run tries again.
 */
final class StateFiles {
    /** The name of a log, and in it the name of the run: workers' logs have that of their run, and more. */
    private static final Pattern LOG = Pattern.compile("(updraft-(\\d{8}-\\d{6})-(\\d+))(-worker-.*)?\\.log.*");

    /** What the JVM leaves when it runs out of memory or crashes, of ours and of workers'. */
    private static final Pattern DUMP = Pattern.compile("(java_pid(\\d+)\\.hprof)(\\..*)?");

    private static final Pattern CRASH = Pattern.compile("(hs_err_pid(\\d+)\\.log)");

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final int RUNS_KEPT = 20;
    private static final int DUMPS_KEPT = 5;
    private static final int CRASHES_KEPT = 20;

    /** Clocks are put back by an hour, and time zones changed: who has started so much later is another process. */
    private static final long SLACK_SECONDS = 24 * 3_600;

    private static final Comparator<List<Path>> BY_NAME = Comparator.comparing(files -> groupOf(LOG, files.get(0)));
    private static final Comparator<List<Path>> BY_CHANGE = Comparator.comparingLong(StateFiles::newest);

    private StateFiles() {}

    /** Deletes what is old. */
    static void prune(Path state) {
        pruneLogs(state.resolve("logs"));
        Path dumps = state.resolve("heapdumps");
        prune(dumps, DUMP, DUMPS_KEPT, BY_CHANGE, StateFiles::isOfLivingProcess);
        prune(dumps, CRASH, CRASHES_KEPT, BY_CHANGE, StateFiles::isOfLivingProcess);
    }

    static void pruneLogs(Path logs) {
        prune(logs, LOG, RUNS_KEPT, BY_NAME, StateFiles::isOfLivingRun);
    }

    /** Says of a group of files that it is still in use. */
    private interface InUse {
        boolean test(Matcher name, List<Path> files);
    }

    private static void prune(Path directory, Pattern pattern, int kept, Comparator<List<Path>> age, InUse inUse) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Map<String, List<Path>> groups = files.filter(
                            file -> matcher(pattern, file).matches())
                    .collect(Collectors.groupingBy(file -> groupOf(pattern, file)));
            List<List<Path>> ended = groups.values().stream()
                    .filter(group -> !inUse.test(matched(pattern, group.get(0)), group))
                    .sorted(age.reversed())
                    .toList();
            for (List<Path> group : ended.subList(Math.min(kept, ended.size()), ended.size())) {
                for (Path file : group) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The next run tries again.
        }
    }

    private static Matcher matcher(Pattern pattern, Path file) {
        return pattern.matcher(file.getFileName().toString());
    }

    private static Matcher matched(Pattern pattern, Path file) {
        Matcher matcher = matcher(pattern, file);
        matcher.matches();
        return matcher;
    }

    private static String groupOf(Pattern pattern, Path file) {
        return matched(pattern, file).group(1);
    }

    private static long newest(List<Path> files) {
        return files.stream()
                .mapToLong(file -> file.toFile().lastModified())
                .max()
                .orElse(0);
    }

    /** By the time in its name, as the number of a process is given to another one sooner or later. */
    private static boolean isOfLivingRun(Matcher name, List<Path> files) {
        try {
            Instant named = LocalDateTime.parse(name.group(2), STAMP)
                    .atZone(ZoneId.systemDefault())
                    .toInstant();
            return isAlive(name.group(3), named);
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean isOfLivingProcess(Matcher name, List<Path> files) {
        return isAlive(name.group(2), Instant.ofEpochMilli(newest(files)));
    }

    private static boolean isAlive(String pid, Instant seen) {
        try {
            return ProcessHandle.of(Long.parseLong(pid))
                    .filter(process -> process.info()
                            .startInstant()
                            .map(start -> start.isBefore(seen.plusSeconds(SLACK_SECONDS)))
                            .orElse(true))
                    .isPresent();
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
