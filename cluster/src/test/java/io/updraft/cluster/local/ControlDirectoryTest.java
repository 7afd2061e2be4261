package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.local.ControlServer.ControlDirectory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlDirectoryTest {
    @TempDir
    Path parent;

    @Test
    void shouldBeForThisUserOnly() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ControlDirectory.create(parent))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldRemoveThatOfACoordinatorThatIsGoneAndNoOther() throws Exception {
        Path gone = ControlDirectory.create(parent);
        listen(gone).close(); // the file stays, as when the process is killed
        Path empty = ControlDirectory.create(parent);
        Path other = Files.createDirectory(parent.resolve("updraft-other"));
        Path alive = ControlDirectory.create(parent);
        try (ServerSocketChannel listening = listen(alive)) {
            assertThat(listening.isOpen()).isTrue();
            ControlDirectory.removeAbandoned(parent, later());
        }
        assertThat(parent).isDirectoryNotContaining(gone::equals).isDirectoryNotContaining(empty::equals);
        assertThat(alive).exists();
        assertThat(other).exists();
    }

    @Test
    void shouldLeaveOneThatMayBeAboutToBeUsed() throws Exception {
        Path young = ControlDirectory.create(parent);
        ControlDirectory.removeAbandoned(parent, Instant.now());
        assertThat(young).exists();
    }

    @Test
    void shouldLeaveWhatHoldsMoreThanASocket() throws Exception {
        Path strange = ControlDirectory.create(parent);
        Files.writeString(strange.resolve("letter"), "mine");
        ControlDirectory.removeAbandoned(parent, later());
        assertThat(strange.resolve("letter")).exists();
    }

    @Test
    void shouldRemoveTheOthersAlthoughSomeCannotBeRemoved() throws Exception {
        List<Path> abandoned = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            abandoned.add(ControlDirectory.create(parent));
            Files.writeString(ControlDirectory.create(parent).resolve("letter"), "mine");
        }
        ControlDirectory.removeAbandoned(parent, later());
        assertThat(abandoned).noneMatch(Files::exists);
        assertThat(parent).isDirectoryContaining(directory -> Files.exists(directory.resolve("letter")));
    }

    private static Instant later() {
        return Instant.now().plus(Duration.ofHours(1));
    }

    private static ServerSocketChannel listen(Path directory) throws Exception {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return server.bind(UnixDomainSocketAddress.of(ControlDirectory.socketIn(directory)));
    }
}
