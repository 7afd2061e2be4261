package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Hoarding;
import io.updraft.cli.programs.Keeping;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a process leaves behind when its memory is full. */
@Tag("slow")
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

    @Test
    void shouldNameTheComponentThatHasFilledTheHeapOfAWorker() throws Exception {
        UpdraftProcess updraft = start(Hoarding.class, "none");
        updraft.awaitErr("; capsule: ");
        updraft.awaitErr("ran out of memory");
        assertThat(updraft.err())
                .anyMatch(line -> line.startsWith("[worker ") && line.contains(LEAK) && line.contains("; capsule: "));
        updraft.signal("INT");
        updraft.awaitExit();
        assertThat(deaths().get(0)).contains("ran out of memory (");
        assertThat(deaths()).anyMatch(line -> line.startsWith("    capsule: ") && line.contains("capsule-worker-"));
    }

    @Test
    void shouldKeepWhatWasLastSeenOfAWorkerThatWasKilled() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "plain");
        updraft.awaitOutEnding("] running");
        updraft.awaitMoreErr("numbers running", 3); // The workers have reported counters.
        long victim = updraft.workers().get(0).pid();
        updraft.workers().get(0).destroyForcibly();
        updraft.awaitErr("it restarts in");
        updraft.signal("INT");
        updraft.awaitExit();
        assertThat(deaths().get(0)).contains("(pid " + victim + ") was killed by signal 9 (SIGKILL");
        Path record = Path.of(deaths().get(1).replace("    last seen: ", ""));
        assertThat(Files.readAllLines(record))
                .anyMatch(line -> line.matches(" *(numbers|sink) +\\d+ .*"))
                .anyMatch(line -> line.startsWith("END OF ") && line.contains("-worker-"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldTellWhatEachComponentHolds() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.start(
                directory,
                "run",
                "--view=none",
                "--drain=0s",
                UpdraftProcess.jarOf(Keeping.class, directory).toString(),
                Keeping.class.getName());
        updraft.awaitOut("kept");
        List<String> held =
                UpdraftProcess.run(directory, "heap", "--by-component").out();
        assertThat(held).anyMatch(line -> line.matches(" +1\\.[0-9] MiB  sink  .*"));
        assertThat(held)
                .anyMatch(line ->
                        line.matches(" +1\\.[0-9] MiB  task 2, field kept: a java.util.ArrayList of 1000 entries"));
        assertThat(UpdraftProcess.run(directory, "heap", "--by-component", "--json")
                        .out())
                .singleElement()
                .asString()
                .contains("\"component\":\"sink\"", "\"field\":\"kept\"");
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    void shouldEndAsBeforeWhenNoCapsuleCanBeWritten() throws Exception {
        Files.createDirectories(directory.resolve("state"));
        Files.createFile(directory.resolve("state").resolve("deaths"));
        UpdraftProcess updraft = hoard("--view", "none");
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .anyMatch(line -> line.contains(LEAK) && line.contains("; no capsule could be written: "));
        assertThat(updraft.err()).last().asString().contains("topology 'numbers' died: sink[2] execute: ");
    }

    private UpdraftProcess start(Class<?> program, String view) throws Exception {
        return UpdraftProcess.start(
                directory,
                "run",
                "--view=" + view,
                "--interval=1s",
                "--drain=0s",
                "--workers=2",
                "-c",
                "topology.worker.childopts=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx96m",
                UpdraftProcess.jarOf(program, directory).toString(),
                program.getName());
    }

    private List<String> deaths() throws Exception {
        return UpdraftProcess.run(directory, "deaths").out();
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
