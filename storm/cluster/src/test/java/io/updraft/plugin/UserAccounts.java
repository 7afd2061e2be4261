package io.updraft.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Accounts of this host under which workers run. */
final class UserAccounts {
    private static final List<String> USERS = List.of(SecuredCluster.OWNER, SecuredCluster.OTHER);

    private UserAccounts() {}

    /** Returns what this host lacks to run workers under other accounts; empty if it lacks nothing. */
    static Optional<String> missing() throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("only root can start processes of other users");
        }
        if (!Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
            return Optional.of("there is no /usr/bin/setpriv");
        }
        List<String> accounts = Files.readAllLines(Path.of("/etc/passwd"));
        return USERS.stream()
                .filter(user -> accounts.stream().noneMatch(line -> line.startsWith(user + ":")))
                .findFirst()
                .map(user -> "there is no account " + user);
    }

    /** Creates a command in a directory that does what Storm's worker-launcher does. */
    static Path launcher(Path directory) throws IOException {
        Path launcher = directory.resolve("worker-launcher.sh");
        try (InputStream script = UserAccounts.class.getResourceAsStream("worker-launcher.sh")) {
            Files.copy(script, launcher);
        }
        Files.setPosixFilePermissions(launcher, EnumSet.allOf(PosixFilePermission.class));
        return launcher;
    }

    /** Lets all users enter a directory whose files they are to reach. */
    static void enter(Path directory) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(directory, permissions);
    }

    /** Gives a file to a user, if there are the accounts; only the user may read and write it then. */
    static Path give(String user, Path file) throws IOException {
        if (missing().isEmpty() && USERS.contains(user)) {
            Files.setOwner(
                    file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
            Set<PosixFilePermission> permissions =
                    EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            if (Files.isDirectory(file)) {
                permissions.add(PosixFilePermission.OWNER_EXECUTE);
            }
            Files.setPosixFilePermissions(file, permissions);
        }
        return file;
    }
}
