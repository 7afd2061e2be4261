package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Hoarding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a process leaves behind when its memory is full. */
class CapsuleTest {
    private static final String LEAK = "are held by component 'sink' (task 2): field hoard, a java.util.ArrayList of ";

    @TempDir
    Path directory;

    @Test
    void shouldNameTheComponentThatHasFilledTheHeapOfARun() throws Exception {
        UpdraftProcess updraft = hoard("--view", "none");
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("updraft: out of memory: leaking: ")
                        .contains(LEAK)
                        .contains("; capsule: " + capsules().get(0)));
        assertThat(updraft.err()).last().asString().contains("topology 'numbers' died: sink[2] execute: ");
        List<String> capsule = Files.readAllLines(capsules().get(0));
        assertThat(capsule.get(0))
                .startsWith("run " + Hoarding.class.getName() + " (pid ")
                .contains(LEAK);
        assertThat(capsule.get(1))
                .isEqualTo("in component 'sink', task 2, execute: java.lang.OutOfMemoryError: Java heap space");
        assertThat(capsule)
                .anyMatch(line -> line.matches(" *numbers +\\d+ .*"))
                .anyMatch(line -> line.matches(" +\\d+: +\\d+ +\\d+ +\\[B.*"))
                .anyMatch(line -> line.endsWith(", component 'sink'"));
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(capsules().get(0))))
                .isEqualTo("rw-------");
    }

    private UpdraftProcess hoard(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("run"));
        command.addAll(List.of(options));
        command.add(UpdraftProcess.jarOf(Hoarding.class, directory).toString());
        command.add(Hoarding.class.getName());
        return UpdraftProcess.runWith(List.of("-Xmx64m"), directory, command.toArray(String[]::new));
    }

    private List<Path> capsules() throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve("state").resolve("deaths"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("capsule-"))
                    .toList();
        }
    }
}
