package io.updraft.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    @TempDir
    Path directory;

    @Test
    void shouldKeepTheNewestLogsAndWhatIsNoneOfItsOwn() throws IOException {
        for (int minute = 10; minute < 40; minute++) {
            Files.createFile(directory.resolve("updraft-20260101-12" + minute + "00-1.log"));
        }
        Files.createFile(directory.resolve("build.log"));
        LogFile.prune(directory);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(21)
                    .contains("build.log", "updraft-20260101-123900-1.log")
                    .doesNotContain("updraft-20260101-121900-1.log");
        }
    }

    @Test
    void shouldKeepTheLogsOfAllWorkersOfTheNewestRuns() throws IOException {
        for (int minute = 10; minute < 31; minute++) {
            String run = "updraft-20260101-12" + minute + "00-" + minute;
            Files.createFile(directory.resolve(run + ".log"));
            for (int worker = 0; worker < 3; worker++) {
                Files.createFile(directory.resolve(run + "-worker-670" + worker + ".log"));
            }
        }
        LogFile.prune(directory);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(20 * 4)
                    .contains("updraft-20260101-121100-11-worker-6702.log")
                    .noneMatch(name -> name.startsWith("updraft-20260101-121000-10"));
        }
    }

    @Test
    void shouldNotMindADirectoryThatIsNotThere() {
        LogFile.prune(directory.resolve("none"));
    }
}
