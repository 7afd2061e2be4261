package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the archive of classes with a JVM that only writes the file. */
class ClassArchiveTest {
    private static final String WRITES = "for option; do case $option in -XX:SharedArchiveFile=*)"
            + " echo classes >\"${option#*=}\" ;; esac; done\n";

    @TempDir
    Path directory;

    private Path classes;
    private Path archive;

    @BeforeEach
    void nameArchive() {
        classes = directory.resolve("state of/classes");
        archive = classes.resolve("new.jsa");
    }

    private void make(String jvm) throws Exception {
        Path java = Files.writeString(directory.resolve("java"), "#!/bin/sh\n" + jvm);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process process = ClassArchive.start(archive.toString(), java, "Training");
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(classes)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void age(Path file, int minutes) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60L * minutes)));
    }

    @Test
    void shouldMakeTheArchiveForItsOwnerAlone() throws Exception {
        make(WRITES);
        assertThat(files()).containsExactly("new.jsa");
        assertThat(archive).hasContent("classes");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(classes)))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldKeepTheNewestFour() throws Exception {
        Files.createDirectories(classes);
        for (int minute = 1; minute <= 5; minute++) {
            age(Files.createFile(classes.resolve(minute + ".jsa")), minute);
        }
        make(WRITES);
        assertThat(files()).containsExactly("1.jsa", "2.jsa", "3.jsa", "new.jsa");
    }

    @Test
    void shouldLeaveTheArchiveToAnotherProcessThatMakesIt() throws Exception {
        Path making = Files.createDirectories(classes.resolve("new.jsa.making"));
        make(WRITES);
        assertThat(files()).containsExactly("new.jsa.making");
        age(making, 20);
        make(WRITES);
        assertThat(files()).containsExactly("new.jsa");
    }

    @Test
    void shouldNotTryAgainAtOnceWhenTheJvmFails() throws Exception {
        make(WRITES + "exit 1\n");
        Path making = classes.resolve("new.jsa.making");
        assertThat(files()).containsExactly("new.jsa.making");
        assertThat(making).isEmptyDirectory();
        make(WRITES);
        assertThat(archive).doesNotExist();
        age(making, 20);
        make(WRITES);
        assertThat(files()).containsExactly("new.jsa");
    }

    @Test
    void shouldDoNothingWhereItCannotWrite() throws Exception {
        Files.createFile(directory.resolve("state of"));
        make(WRITES);
        assertThat(directory.resolve("state of")).isRegularFile();
    }
}
