package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DownloadDirectoryTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldListWhatItHasMadeAndDeleteIt() throws Exception {
        Path place = temporary.resolve("console");
        DownloadDirectory downloads = new DownloadDirectory(place);
        assertThat(downloads.list()).isEqualTo(Map.of("files", List.of()));
        Path file = downloads.next("flame-cpu-17-../a b", ".html");
        Files.writeString(file, "<p>");
        assertThat(file.getParent()).isEqualTo(place);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                .isEqualTo("rwx------");
        String name = file.getFileName().toString();
        assertThat(downloads.find(name)).contains(file);
        assertThat(downloads.list().toString()).contains(name, "bytes=3", "view=/console/files/" + name + "?view=1");
        downloads.delete(name);
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> downloads.delete(name)).hasMessageContaining("no file '" + name + "'");
    }

    @Test
    void shouldGiveNoFileOutside() throws Exception {
        Files.writeString(temporary.resolve("secret.html"), "x");
        Files.createDirectories(temporary.resolve("console"));
        DownloadDirectory downloads = new DownloadDirectory(temporary.resolve("console"));
        assertThat(downloads.find("../secret.html")).isEmpty();
        assertThat(downloads.find("..%2fsecret.html")).isEmpty();
        assertThat(downloads.find("/etc/passwd")).isEmpty();
        assertThat(downloads.find("")).isEmpty();
    }
}
