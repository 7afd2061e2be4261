package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Deadlocking;
import io.updraft.cli.programs.Endless;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONArray;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks a run from a second process, as an operator does in a second terminal. */
class SecondTerminalTest {
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

    @Test
    void shouldSayThatNothingRuns() throws Exception {
        for (String command : List.of("ps", "stack")) {
            UpdraftProcess asked = ask(command);
            assertThat(asked.exitCode()).isEqualTo(1);
            assertThat(asked.out()).isEmpty();
            assertThat(asked.err()).singleElement().asString().startsWith("updraft: no run is alive");
        }
    }

    @Test
    void shouldListARunUntilItsEnd() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        UpdraftProcess ps = ask("ps");
        assertThat(ps.exitCode()).as("%s", ps.err()).isZero();
        assertThat(ps.out().get(0)).contains(run.pid() + "  run " + Endless.class.getName());
        assertThat(ps.out().get(1)).contains("numbers  running ", "2 components", "0 errors");
        JSONObject found = (JSONObject) ((JSONArray) json("ps", "--json").get("runs")).get(0);
        assertThat(found).containsEntry("alive", true).containsEntry("command", "run");
        run.signal("TERM");
        assertThat(run.awaitExit()).isZero();
        assertThat(ask("ps").out()).isEmpty();
        try (Stream<Path> left = Files.list(directory.resolve("state/runs"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldShowARunThatWasKilledAsEnded() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        run.signal("KILL");
        run.awaitExit();
        UpdraftProcess ps = ask("ps");
        assertThat(ps.exitCode()).isEqualTo(1);
        assertThat(ps.out().get(0)).startsWith(run.pid() + "  run ").contains("ended, was started");
        assertThat(ps.err()).containsExactly("updraft: no run is alive");
    }

    @Test
    void shouldNameTheDeadlockOfAComponent() throws Exception {
        start(Deadlocking.class);
        run.awaitOut("hangs");
        assertThat(stackOnceDeadlocked("stack", "sink"))
                .anyMatch(line -> line.matches(" +DEADLOCK of 2 threads.*"))
                .anyMatch(
                        line -> line.matches(" +sink: 'updraft-.*' waits for java.lang.Object@\\w+, held by 'flusher'"))
                .anyMatch(line -> line.contains("'flusher' waits for java.lang.Object"))
                .anyMatch(line -> line.contains("at " + Deadlocking.class.getName() + "$Hanging.execute("))
                .noneMatch(line -> line.contains("$Numbers."));
    }

    @Test
    void shouldNameTheDeadlockInAWorker() throws Exception {
        start(Deadlocking.class, "--workers", "2");
        run.awaitOutEnding("hangs");
        assertThat(stackOnceDeadlocked("stack"))
                .anyMatch(line -> line.matches("process " + run.pid() + " \\(run\\)"))
                .anyMatch(line -> line.matches("process \\d+ \\(worker 0\\)"))
                .anyMatch(line -> line.matches("process \\d+ \\(worker 1\\)"))
                .anyMatch(line ->
                        line.matches(" +sink: 'updraft-.*' waits for java.lang.Object@\\w+, held by 'flusher'"));
        run.signal("KILL");
    }

    /** The second thread reaches its lock some time after the first. */
    private List<String> stackOnceDeadlocked(String... command) throws Exception {
        while (true) {
            UpdraftProcess stack = ask(command);
            assertThat(stack.exitCode()).as("%s", stack.err()).isZero();
            if (stack.out().stream().anyMatch(line -> line.contains("DEADLOCK"))) {
                return stack.out();
            }
        }
    }

    private void start(Class<?> program, String... options) throws Exception {
        List<String> words = Stream.of(
                        Stream.of("run"),
                        Stream.of(options),
                        Stream.of(UpdraftProcess.jarOf(program, directory).toString(), program.getName()))
                .flatMap(part -> part)
                .toList();
        run = UpdraftProcess.start(directory, words.toArray(String[]::new));
    }

    private UpdraftProcess ask(String... command) throws IOException, InterruptedException {
        return UpdraftProcess.run(directory, command);
    }

    private JSONObject json(String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s", asked.err()).isZero();
        return (JSONObject) JSONValue.parse(asked.out().get(0));
    }
}
