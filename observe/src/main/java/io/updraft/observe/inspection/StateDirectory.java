package io.updraft.observe.inspection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The directory of logs, heap dumps, records of deaths, and sockets of runs. */
public final class StateDirectory {
    /** The system property with the directory; the launcher sets it. */
    public static final String PROPERTY = "updraft.state";

    private static final Set<PosixFilePermission> OWNERS_ONLY = PosixFilePermissions.fromString("rwx------");

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

    /**
     * Creates a directory that only its owner may enter. Closes one that exists to others: logs, dumps and flame graphs have data
     * of users in them.
     *
     * @param directory the directory, of the state or in it
     * @return the directory
     * @throws IOException when it cannot be created, or is of another user
     */
    public static Path ownersOnly(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNERS_ONLY));
        } else if (!Files.getPosixFilePermissions(directory).equals(OWNERS_ONLY)) {
            Files.setPosixFilePermissions(directory, OWNERS_ONLY);
        }
        return directory;
    }
}
