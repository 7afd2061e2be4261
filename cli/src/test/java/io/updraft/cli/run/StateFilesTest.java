package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.run.LogFile.StateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {
    @TempDir
    Path directory;

    @Test
    void shouldKeepTheNewestLogsAndWhatIsNoneOfItsOwn() throws IOException {
        for (int minute = 10; minute < 40; minute++) {
            Files.createFile(directory.resolve("updraft-20260101-12" + minute + "00-2147483647.log"));
        }
        Files.createFile(directory.resolve("build.log"));
        StateFiles.pruneLogs(directory);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(21)
                    .contains("build.log", "updraft-20260101-123900-2147483647.log")
                    .doesNotContain("updraft-20260101-121900-2147483647.log");
        }
    }

    @Test
    void shouldKeepTheLogsOfAllWorkersOfTheNewestRuns() throws IOException {
        for (int minute = 10; minute < 31; minute++) {
            String run = "updraft-20260101-12" + minute + "00-21474836" + minute;
            Files.createFile(directory.resolve(run + ".log"));
            for (int worker = 0; worker < 3; worker++) {
                Files.createFile(directory.resolve(run + "-worker-670" + worker + ".log"));
            }
        }
        StateFiles.pruneLogs(directory);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(20 * 4)
                    .contains("updraft-20260101-121100-2147483611-worker-6702.log")
                    .noneMatch(name -> name.startsWith("updraft-20260101-121000-2147483610"));
        }
    }

    @Test
    void shouldKeepTheLogsOfARunThatLivesHoweverManyAreNewer() throws IOException {
        Instant started = ProcessHandle.current().info().startInstant().orElseThrow();
        String stamp = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(started.atZone(ZoneId.systemDefault()));
        String living = "updraft-" + stamp + "-" + ProcessHandle.current().pid();
        Files.createFile(directory.resolve(living + ".log"));
        Files.createFile(directory.resolve(living + "-worker-6700.log"));
        for (int newer = 10; newer < 40; newer++) {
            Files.createFile(directory.resolve("updraft-29990101-12" + newer + "00-2147483647.log"));
        }
        StateFiles.pruneLogs(directory);
        assertThat(directory.resolve(living + ".log")).exists();
        assertThat(directory.resolve(living + "-worker-6700.log")).exists();
        assertThat(directory.resolve("updraft-29990101-121900-2147483647.log")).doesNotExist();
    }

    @Test
    void shouldKeepTheNewestHeapDumpsAndThatOfAProcessThatLives() throws IOException {
        Path dumps = Files.createDirectory(directory.resolve("heapdumps"));
        long now = System.currentTimeMillis();
        Path living = changed(dumps.resolve("java_pid" + ProcessHandle.current().pid() + ".hprof"), now);
        for (int age = 1; age < 10; age++) {
            changed(dumps.resolve("java_pid214748364" + age + ".hprof"), now + age * 1_000);
        }
        Path others = changed(dumps.resolve("mine.hprof"), 0);
        StateFiles.prune(directory);
        assertThat(living).exists();
        assertThat(others).exists();
        assertThat(dumps.resolve("java_pid2147483645.hprof")).exists();
        assertThat(dumps.resolve("java_pid2147483644.hprof")).doesNotExist();
    }

    private static Path changed(Path file, long millis) throws IOException {
        Files.setLastModifiedTime(Files.createFile(file), FileTime.fromMillis(millis));
        return file;
    }

    @Test
    void shouldNotMindADirectoryThatIsNotThere() {
        StateFiles.pruneLogs(directory.resolve("none"));
    }
}
