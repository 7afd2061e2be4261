package io.updraft.observe.inspection;

import java.nio.file.Path;

/** The directory of logs, heap dumps, records of deaths, and sockets of runs. */
public final class StateDirectory {
    /** The system property with the directory; the launcher sets it. */
    public static final String PROPERTY = "updraft.state";

    private StateDirectory() {}

    /** {@return the directory, which may not exist} */
    public static Path path() {
        String given = System.getProperty(PROPERTY);
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
