package io.updraft.cli.log;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * The log of this process: a file in the user's state directory, made when the first line is logged. Nothing is logged to
 * the console, but by a command that {@linkplain #tellWarnings asks for it}.
 */
public final class LogFile {
    /** The system property that names the directory of logs and heap dumps; the launcher sets it. */
    public static final String STATE_PROPERTY = "updraft.state";

    private static final String FILE_PROPERTY = "updraft.log";
    private static final String CONFIGURATION_PROPERTY = "log4j2.configurationFile";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** The level of what is told on the console too. */
    private static final String CONSOLE_PROPERTY = "updraft.console.level";

    private LogFile() {}

    /**
     * From now on the warnings of our own pipelines are told on standard error too, for a command whose view does not know of
     * them; to be called before anything is logged.
     */
    public static void tellWarnings() {
        System.setProperty(CONSOLE_PROPERTY, "warn");
    }

    /**
     * Decides where the log goes; to be called before anything is logged. A configuration that the user chose with
     * {@code -Dlog4j2.configurationFile} is left alone.
     */
    public static void configure() {
        Path directory = stateDirectory().resolve("logs");
        String stamp = LocalDateTime.now().format(STAMP);
        Path file = directory.resolve(
                "updraft-" + stamp + "-" + ProcessHandle.current().pid() + ".log");
        System.setProperty(FILE_PROPERTY, System.getProperty(FILE_PROPERTY, file.toString()));
        if (System.getProperty(CONFIGURATION_PROPERTY) == null) {
            System.setProperty(CONFIGURATION_PROPERTY, "io/updraft/cli/log/log4j2.xml");
        }
        StateFiles.prune(stateDirectory());
    }

    /** {@return the log file of this process; it may not exist, when nothing was logged} */
    public static Path path() {
        return Path.of(System.getProperty(FILE_PROPERTY, "updraft.log"));
    }

    /** {@return where logs and heap dumps are kept} */
    public static Path stateDirectory() {
        String given = System.getProperty(STATE_PROPERTY);
        if (given != null) {
            return Path.of(given);
        }
        String xdg = System.getenv("XDG_STATE_HOME");
        Path base = xdg != null && !xdg.isEmpty()
                ? Path.of(xdg)
                : Path.of(System.getProperty("user.home"), ".local", "state");
        return base.resolve("updraft");
    }
}
