package io.updraft.observe.death;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.observe.death.Deaths.Death;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is listed of a directory with damaged files. */
class DeathsTest {
    @TempDir
    Path state;

    private DeathDirectory directory;

    @BeforeEach
    void create() {
        directory = DeathDirectory.in(state);
    }

    @Test
    void shouldListNothingWithoutADirectory() throws Exception {
        assertThat(Deaths.in(directory)).isEmpty();
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeRead() throws Exception {
        Files.createFile(directory.path());
        assertThatThrownBy(() -> Deaths.in(directory)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldListADamagedFileWithTheReason() throws Exception {
        Files.createDirectory(directory.path());
        Path empty = write("capsule-run-7-20260101-000000.txt", new byte[0]);
        Path binary = write("death-worker-0-8-20260101-000000.txt", new byte[] {(byte) 0xff, (byte) 0xfe});
        Path badName = write("death-worker-0-9-20260101-000000.txt", "it died\ncapsule: a\0b\n".getBytes());
        List<Death> deaths = Deaths.in(directory);
        assertThat(deaths).hasSize(3);
        assertThat(deaths)
                .anyMatch(death -> empty.equals(death.capsule()) && death.why().contains("the file is empty"))
                .anyMatch(death -> binary.equals(death.record()) && death.why().contains("cannot be read"))
                .anyMatch(death ->
                        badName.equals(death.record()) && death.why().equals("it died") && death.capsule() == null);
    }

    @Test
    void shouldFindTheCapsuleOfAProcessAndNotOfAWorkerWithThatNumber() throws Exception {
        Files.createDirectory(directory.path());
        Path capsule = write("capsule-worker-7-20-20260101-000000.txt", new byte[0]);
        assertThat(directory.capsuleOf(7, 0)).isNull();
        assertThat(directory.capsuleOf(20, 0)).isEqualTo(capsule);
    }

    private Path write(String name, byte[] content) throws IOException {
        return Files.write(directory.path().resolve(name), content);
    }
}
