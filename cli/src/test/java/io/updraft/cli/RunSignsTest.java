package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Ailing;
import io.updraft.cli.programs.Endless;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rows of the table in docs/operating.md that are about the process of the run: each failure with its signs. What a page that was
 * open then says is tested in a browser.
 */
@Tag("long")
class RunSignsTest {
    @TempDir
    Path directory;

    @Test
    void shouldNameTheComponentThatEndsARunOfOneProcess() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Ailing.class, "--", Ailing.Way.EXIT_LATER.name())) {
            assertThat(run.process().awaitExit()).isEqualTo(1);
            run.failsNow();
            run.awaitLine(
                    "System.exit in one process",
                    "topology 'ailing' died: sink\\[\\d+] execute: .*System.exit was called at .*Ailing.java:\\d+");
            run.awaitAnswer("run of .*Ailing.*topology 'ailing' died: .*System.exit was called at", "deaths");
        }
    }

    @Test
    void shouldListARunThatWasKilled() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Endless.class)) {
            run.process().awaitOutEnding("running");
            run.process().signal("KILL");
            run.process().awaitExit();
            run.awaitAnswer("  ended, was started ", "ps");
            run.awaitAnswer("\\(pid " + run.process().pid() + "\\) was killed, or its JVM crashed", "deaths");
        }
    }

    @Test
    void shouldSayThatARunStandsStill() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Endless.class)) {
            run.process().awaitOutEnding("running");
            run.process().signal("STOP");
            run.awaitAnswer("does not answer: no answer in time", "ps");
            UpdraftProcess asked = UpdraftProcess.run(
                    directory, "top", "--once", "--pid", "" + run.process().pid());
            assertThat(asked.exitCode()).isEqualTo(1);
            assertThat(asked.err())
                    .anyMatch(line -> line.contains("it is stopped (SIGSTOP); waiting for at most 10 s"));
            assertThat(asked.err()).last().asString().contains("does not answer");
        }
    }

    @Test
    void shouldSayThatATopologyIsInactive() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Endless.class)) {
            run.process().awaitOutEnding("running");
            run.awaitFigure("updraft_topology_running", value -> value == 1, "topology", "numbers");
            UpdraftProcess.run(directory, "deactivate");
            run.awaitFigure("updraft_topology_running", value -> value == 0, "topology", "numbers");
            run.awaitAnswer("numbers  inactive ", "ps");
            run.awaitConsole("condition=inactive");
        }
    }
}
