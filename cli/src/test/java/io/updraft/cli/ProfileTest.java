package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Burning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes profiles of a run from a second process. */
@Tag("one-jdk")
class ProfileTest {
    @TempDir
    Path directory;

    private UpdraftProcess run;

    @AfterEach
    void kill() throws Exception {
        if (run != null && run.isAlive()) {
            run.signal("KILL");
            run.awaitExit();
        }
    }

    @Tag("long")
    @Test
    void shouldShowTheMethodsOfOneComponent() throws Exception {
        start(List.of());
        awaitWork();
        List<String> out = profile("x.html", "xorshiftLoop", "sink", "--for", "2s");
        assertThat(out)
                .hasSize(2)
                .anyMatch(line -> line.matches("process \\d+ \\(run\\): .*/x\\.html, \\d+ of \\d+ samples"
                        + " \\(\\d+%\\) are code of sink \\(async-profiler .*\\)"));
        assertThat(read("x.html")).contains("<html").doesNotContain("congruentialLoop");
        assertThat(refusal("profile", "-o", "x.html")).contains("x.html exists already");
        profile("all.collapsed", "xorshiftLoop", "--for", "1s");
        profile("all.collapsed", "congruentialLoop", "--for", "1s");
        assertThat(read("all.collapsed")).doesNotContain("_[j]");
        profile("alloc.collapsed", "fillWithZeros", "sink", "--for", "1s", "--event", "alloc");
        assertThat(read("alloc.collapsed")).doesNotContain("growWithRoom");
        answer("profile", "--for", "1s", "-o", "all.jfr");
        assertThat(directory.resolve("all.jfr")).isNotEmptyFile();
        assertNothingLeft();
    }

    @Test
    void shouldRefuseWhatCannotBeProfiled() throws Exception {
        start(List.of());
        awaitWork();
        assertThat(refusal("profile", "nothing", "-o", "x.html"))
                .isEqualTo("updraft: there is no component 'nothing'; the components are numbers, other, sink");
        assertThat(refusal("profile", "--worker", "1", "-o", "x.html"))
                .isEqualTo("updraft: there is no worker 1; the run has no workers");
        assertThat(misuse("profile", "--for", "0s")).contains("--for must be 1s to 10m");
        assertThat(misuse("profile", "--event", "heat")).contains("there is no event 'heat'");
        assertThat(misuse("profile", "-o", "x.svg")).contains("must end with .html, .jfr or .collapsed");
        assertThat(misuse("profile", "sink", "-o", "x.jfr")).contains("has the code of all components");
        assertThat(refusal("profile", "-o", "none/x.html", "--for", "1s")).contains("there is no directory");
    }

    @Test
    @Tag("long")
    void shouldTakeOneProfileAtATimeUntilItsClientIsKilled() throws Exception {
        start(List.of());
        awaitWork();
        UpdraftProcess first = UpdraftProcess.start(directory, "profile", "--for", "10m", "-o", "first.html");
        first.awaitOut("profiling 1 process for 600.0 s");
        UpdraftProcess second = ask("profile", "--for", "1s", "-o", "second.html");
        while (second.exitCode() == 0) { // The first has not begun yet.
            Files.delete(directory.resolve("second.html"));
            second = ask("profile", "--for", "1s", "-o", "second.html");
        }
        assertThat(second.err())
                .singleElement()
                .asString()
                .contains("a profile of this process is taken already; try again when it is done");
        assertThat(ask("stack").exitCode()).isZero();
        first.signal("KILL");
        first.awaitExit();
        UpdraftProcess third = ask("profile", "sink", "--for", "1s", "-o", "third.html");
        while (third.exitCode() != 0) { // The run has not seen yet that the client is gone.
            assertThat(third.err()).singleElement().asString().contains("is taken already");
            third = ask("profile", "sink", "--for", "1s", "-o", "third.html");
        }
        assertThat(directory.resolve("first.html")).doesNotExist();
        assertNothingLeft();
    }

    @Test
    @Tag("long")
    void shouldKeepAProfileWhoseRunEnds() throws Exception {
        start(List.of(), "--workers", "2");
        run.awaitOutEnding("Xoring runs");
        run.awaitOutEnding("Multiplying runs");
        UpdraftProcess profile = UpdraftProcess.start(directory, "profile", "--for", "10m", "-o", "cut.html");
        profile.awaitOut("profiling 3 processes for 600.0 s");
        awaitRecording();
        run.signal("TERM");
        assertThat(profile.awaitExit()).as("%s", profile.err()).isZero();
        run.awaitExit();
        assertThat(profile.out())
                .filteredOn(line -> line.matches("  only of [\\d.]+ s: the process has ended"))
                .hasSize(3);
        for (int worker = 0; worker < 2; worker++) {
            assertThat(directory.resolve("cut-worker-" + worker + ".html")).isNotEmptyFile();
        }
    }

    /** Waits until each process is being profiled. */
    private void awaitRecording() throws Exception {
        UpdraftProcess second = ask("profile", "--for", "1s", "-o", "second.html");
        while (second.err().stream()
                        .filter(line -> line.contains("is taken already"))
                        .count()
                < 3) {
            second = ask("profile", "--for", "1s", "-o", "second" + System.nanoTime() + ".html");
        }
    }

    @Test
    @Tag("long")
    void shouldProfileWorkers() throws Exception {
        start(List.of(), "--workers", "2");
        run.awaitOutEnding("Xoring runs");
        run.awaitOutEnding("Multiplying runs");
        assertThat(profile("cpu.collapsed", "xorshiftLoop", "--for", "1s")).hasSize(4);
        profile("cpu.collapsed", "congruentialLoop", "--for", "1s");
        answer("profile", "--for", "1s", "--worker", "1", "-o", "one.collapsed");
        assertThat(directory.resolve("one.collapsed")).isNotEmptyFile();
        profile("other.collapsed", "congruentialLoop", "other", "--for", "1s");
        assertThat(read("other.collapsed")).doesNotContain("xorshiftLoop");
    }

    @Test
    @Tag("long")
    void shouldFallBackToFlightRecorder() throws Exception {
        start(List.of("-Dupdraft.profiler=jfr"));
        awaitWork();
        assertThat(profile("x.html", "xorshiftLoop", "sink", "--for", "2s"))
                .anyMatch(line -> line.endsWith("are code of sink (Flight Recorder)"))
                .contains("  async-profiler cannot be used: updraft.profiler is jfr");
        assertThat(read("x.html")).doesNotContain("congruentialLoop");
        profile("alloc.collapsed", "fillWithZeros", "sink", "--for", "2s", "--event", "alloc");
        assertThat(read("alloc.collapsed")).doesNotContain("growWithRoom");
        answer("profile", "--for", "1s", "-o", "all.jfr");
        assertThat(directory.resolve("all.jfr")).isNotEmptyFile();
        assertThat(refusal("profile", "--for", "1s", "--event", "wall", "-o", "wall.html"))
                .contains("Flight Recorder cannot sample waiting threads");
        assertNothingLeft();
    }

    @Test
    @Tag("long")
    void shouldNeedNoFlightRecorder() throws Exception {
        String modules = "--limit-modules=java.se,jdk.unsupported,jdk.management,jdk.net,jdk.zipfs,jdk.jartool";
        start(List.of(modules));
        awaitWork();
        profile("x.html", "xorshiftLoop", "sink", "--for", "1s");
        run.signal("KILL");
        run.awaitExit();
        start(List.of(modules, "-Dupdraft.profiler=jfr"));
        awaitWork();
        assertThat(refusal("profile", "--for", "1s", "-o", "y.html"))
                .endsWith("async-profiler cannot be used: updraft.profiler is jfr; this Java has no Flight Recorder"
                        + " (module jdk.jfr)");
    }

    private void awaitWork() throws InterruptedException {
        run.awaitOut("Xoring runs");
        run.awaitOut("Multiplying runs");
    }

    /** Takes profiles until one has seen the method: on a busy machine a second may pass without a sample of it. */
    private List<String> profile(String file, String method, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("profile", "-o", file));
        command.addAll(List.of(options));
        UpdraftProcess asked;
        do {
            delete(file);
            asked = ask(command.toArray(String[]::new));
            assertThat(asked.exitCode() == 0 || asked.out().toString().contains("nothing to show"))
                    .as("%s: %s", asked.out(), asked.err())
                    .isTrue();
        } while (!hasSeen(method, file));
        return asked.out();
    }

    private boolean hasSeen(String method, String file) throws IOException {
        for (Path written : filesOf(file)) {
            if (Files.readString(written).contains(method)) {
                return true;
            }
        }
        return false;
    }

    private void delete(String file) throws IOException {
        for (Path written : filesOf(file)) {
            Files.delete(written);
        }
    }

    /** The file itself, or one of each worker. */
    private List<Path> filesOf(String file) throws IOException {
        int dot = file.indexOf('.');
        String name = Pattern.quote(file.substring(0, dot)) + "(-worker-\\d+)?" + Pattern.quote(file.substring(dot));
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(written -> written.getFileName().toString().matches(name))
                    .toList();
        }
    }

    private String read(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> files = Files.list(temporary())) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("updraft-profile-"));
        }
    }

    private Path temporary() {
        return directory.resolve("tmp");
    }

    private List<String> answer(String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s: %s", asked.out(), asked.err()).isZero();
        assertThat(asked.err()).isEmpty();
        return asked.out();
    }

    private String refusal(String... command) throws IOException, InterruptedException {
        return oneLine(1, command);
    }

    private String misuse(String... command) throws IOException, InterruptedException {
        return oneLine(2, command);
    }

    private String oneLine(int exitCode, String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s", asked.out()).isEqualTo(exitCode);
        assertThat(asked.err()).hasSize(1);
        return asked.err().get(0);
    }

    private void start(List<String> jvmOptions, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options));
        words.add(UpdraftProcess.jarOf(Burning.class, directory).toString());
        words.add(Burning.class.getName());
        List<String> jvm = new ArrayList<>(jvmOptions);
        jvm.add("-Djava.io.tmpdir=" + Files.createDirectories(temporary()));
        run = UpdraftProcess.startWith(jvm, directory, words.toArray(String[]::new));
    }

    private UpdraftProcess ask(String... command) throws IOException, InterruptedException {
        return UpdraftProcess.run(directory, command);
    }
}
