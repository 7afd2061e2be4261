package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void shouldCreateADirectoryThatOnlyItsOwnerMayEnter() throws Exception {
        assertThat(permissions(StateDirectory.ownersOnly(directory.resolve("a/b"))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldCloseADirectoryThatOthersMayEnter() throws Exception {
        Path open = Files.createDirectory(directory.resolve("logs"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(permissions(StateDirectory.ownersOnly(open))).isEqualTo("rwx------");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
