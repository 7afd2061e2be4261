package io.updraft.cli.run;

import io.updraft.cli.log.LateLogProvider;
import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * The log of this process: a file in the user's state directory. The first log line creates the file. Only after
 * {@link #printWarnings} do warnings go to the console as well.
 */
public final class LogFile {
    private static final String FILE_PROPERTY = "updraft.log";
    private static final String PERMISSIONS_PROPERTY = "updraft.log.permissions";
    private static final String CONFIGURATION_PROPERTY = "log4j2.configurationFile";
    private static final String CONFIGURATION = "io/updraft/cli/run/log4j2.xml";
    private static final String LEVEL_PROPERTY = "updraft.log.level";
    private static final String VERBOSITY_PROPERTY = "slf4j.internal.verbosity";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** The system property with the level of the log lines that go to the console as well. */
    private static final String CONSOLE_PROPERTY = "updraft.console.level";

    private LogFile() {}

    /**
     * Sends the warnings of Updraft's pipelines to standard error as well as to the log, for a command whose view does not show
     * warnings. Call it before the first log line.
     */
    public static void printWarnings() {
        System.setProperty(CONSOLE_PROPERTY, "warn");
    }

    /**
     * Sets the log file and the Log4j configuration, and deletes old logs and dumps. Call it before the first log line. A
     * configuration that the user gives with {@code -Dlog4j2.configurationFile} stays in force.
     */
    public static void configure() {
        Path directory = StateDirectory.path().resolve("logs");
        String stamp = localTime(System.currentTimeMillis()).format(STAMP);
        Path file = directory.resolve(
                "updraft-" + stamp + "-" + ProcessHandle.current().pid() + ".log");
        System.setProperty(FILE_PROPERTY, System.getProperty(FILE_PROPERTY, file.toString()));
        if (System.getProperty(CONFIGURATION_PROPERTY) == null) {
            System.setProperty(CONFIGURATION_PROPERTY, CONFIGURATION);
        }
        System.setProperty(PERMISSIONS_PROPERTY, permissions(path()));
        close(StateDirectory.path());
        close(directory);
        StateFiles.prune(StateDirectory.path());
    }

    /**
     * Starts Log4j with the first log line instead of the first logger. Call it after {@link #configure}, and not for a command
     * that runs a program: its code may expect Log4j's own loggers.
     */
    public static void startLate() {
        if (CONFIGURATION.equals(System.getProperty(CONFIGURATION_PROPERTY))
                && System.getProperty(LEVEL_PROPERTY) == null) {
            System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, LateLogProvider.class.getName());
            // SLF4J reports on standard error that it uses this provider.
            System.setProperty(VERBOSITY_PROPERTY, System.getProperty(VERBOSITY_PROPERTY, "WARN"));
        }
    }

    /** Converts by {@link TimeZone}: {@link ZoneId} opens each jar of the class path, to look for more time zones. */
    private static LocalDateTime localTime(long millis) {
        return LocalDateTime.ofEpochSecond(millis / 1_000, 0, offsetAt(millis));
    }

    private static ZoneOffset offsetAt(long millis) {
        return ZoneOffset.ofTotalSeconds(TimeZone.getDefault().getOffset(millis) / 1_000);
    }

    /** A new log is its owner's alone. What the user names and exists, such as a device, keeps its permissions. */
    static String permissions(Path log) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(log));
        } catch (IOException | UnsupportedOperationException e) {
            return "rw-------";
        }
    }

    /** Keeps other users out of a directory before something is written to it. */
    private static void close(Path directory) {
        try {
            StateDirectory.ownersOnly(directory);
        } catch (IOException | UnsupportedOperationException e) {
            // The log may be elsewhere. If not, the first line that cannot be written is reported; its file is the
            // owner's alone.
        }
    }

    /** {@return the log file of this process; it does not exist before the first log line} */
    public static Path path() {
        return Path.of(System.getProperty(FILE_PROPERTY, "updraft.log"));
    }

    /**
     * Deletes old logs, heap dumps and crash reports from the state directory. Keeps the newest, and all files of living processes.
     * A file that cannot be listed or deleted does not stop the run: the next run tries again.
     */
    static final class StateFiles {
        /** The name of a log. Group 1 is the name of the run; the name of a worker's log begins with the name of its run. */
        private static final Pattern LOG = Pattern.compile("(updraft-(\\d{8}-\\d{6})-(\\d+))(-worker-.*)?\\.log.*");

        /** The name of a heap dump, which a JVM writes when it runs out of memory: this process or a worker. */
        private static final Pattern DUMP = Pattern.compile("(java_pid(\\d+)\\.hprof)(\\..*)?");

        private static final Pattern CRASH = Pattern.compile("(hs_err_pid(\\d+)\\.log)");

        private static final int RUNS_KEPT = 20;
        private static final int DUMPS_KEPT = 5;
        private static final int CRASHES_KEPT = 20;

        /**
         * A process that started this long after a file's time is not the process of the file: its number was used again. The slack
         * covers changes of the clock, of the time zone, and to and from summer time.
         */
        private static final long SLACK_SECONDS = 24 * 3_600;

        private static final Comparator<List<Path>> BY_NAME = Comparator.comparing(files -> groupOf(LOG, files.get(0)));
        private static final Comparator<List<Path>> BY_CHANGE = Comparator.comparingLong(StateFiles::newest);

        private StateFiles() {}

        static void prune(Path state) {
            pruneLogs(state.resolve("logs"));
            Path dumps = state.resolve("heapdumps");
            prune(dumps, DUMP, DUMPS_KEPT, BY_CHANGE, StateFiles::isOfLivingProcess);
            prune(dumps, CRASH, CRASHES_KEPT, BY_CHANGE, StateFiles::isOfLivingProcess);
        }

        static void pruneLogs(Path logs) {
            prune(logs, LOG, RUNS_KEPT, BY_NAME, StateFiles::isOfLivingRun);
        }

        private static void prune(
                Path directory,
                Pattern pattern,
                int kept,
                Comparator<List<Path>> age,
                BiPredicate<Matcher, List<Path>> inUse) {
            if (!Files.isDirectory(directory)) {
                return;
            }
            try (Stream<Path> files = Files.list(directory)) {
                Map<String, List<Path>> groups = files.filter(file -> matched(pattern, file) != null)
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

        private static Matcher matched(Pattern pattern, Path file) {
            Matcher matcher = pattern.matcher(file.getFileName().toString());
            return matcher.matches() ? matcher : null;
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

        /** Compares the time in the name with the start of the process, because process numbers are used again. */
        private static boolean isOfLivingRun(Matcher name, List<Path> files) {
            try {
                LocalDateTime named = LocalDateTime.parse(name.group(2), STAMP);
                long millis = named.toInstant(ZoneOffset.UTC).toEpochMilli();
                return isAlive(name.group(3), named.toInstant(offsetAt(millis)));
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
}
