package io.updraft.cli.log;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * The log of this process: a file in the user's state directory. The first log line creates the file. Only after
 * {@link #printWarnings} do warnings go to the console as well.
 */
public final class LogFile {
    /** The system property with the directory of logs and heap dumps; the launcher sets it. */
    public static final String STATE_PROPERTY = "updraft.state";

    private static final String FILE_PROPERTY = "updraft.log";
    private static final String CONFIGURATION_PROPERTY = "log4j2.configurationFile";
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

    /** {@return the log file of this process; it does not exist before the first log line} */
    public static Path path() {
        return Path.of(System.getProperty(FILE_PROPERTY, "updraft.log"));
    }

    /** {@return the directory of logs and heap dumps} */
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
