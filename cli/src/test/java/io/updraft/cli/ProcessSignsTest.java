package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Filling;
import io.updraft.cli.programs.Hoarding;
import io.updraft.cli.programs.Quitting;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of the table in docs/operating.md that are about worker processes: each failure with its signs. */
@Tag("long")
class ProcessSignsTest {
    private static final String JVM = "topology.worker.childopts=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m";

    @TempDir
    Path directory;

    @Test
    void shouldNameTheComponentThatCallsExit() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Quitting.class, "--workers=2", "-c", JVM)) {
            run.awaitFailure("quits");
            run.awaitLine(
                    "System.exit",
                    "worker \\d .*exited with code 3 in component 'sink', task 2, execute: System.exit was called at"
                            + " io.updraft.cli.programs.Quitting\\$Quitter.execute\\(Quitting.java:");
            run.awaitAnswer("worker \\d: .*last: exit code 3 in sink at ", "top", "--once");
            run.awaitRemark("worker-(down|restarted)", null, "worker \\d: .*last: exit code 3 in sink at ");
            awaitRestart(run);
        }
    }

    @Test
    void shouldNameTheComponentThatFillsTheMemory() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Hoarding.class, "--workers=2", "-c", JVM)) {
            run.awaitFailure("submitted");
            run.awaitLine("leak to out of memory", "ran out of memory.* in component 'sink', task 2, execute");
            run.awaitAnswer("worker \\d: .*last: out of memory in sink at ", "top", "--once");
            awaitRestart(run);
        }
    }

    @Test
    void shouldNameTheComponentThatFillsTheHeapBeforeAndAfterTheDeath() throws Exception {
        String jvm = "topology.worker.childopts=-Xmx200m";
        try (ObservedRun run = ObservedRun.run(directory, Filling.class, "--workers=2", "-c", jvm)) {
            run.awaitFailure("fills");
            String holder =
                    "are held by component 'sink' \\(task 2\\): field seen, a java.util.HashMap of \\d+ entries";
            String sign = run.awaitLine("heap nearly full", "heap nearly full: worker \\d has .* " + holder);
            String worker = sign.replaceAll(".*full: worker (\\d).*", "$1");
            run.awaitAnswer("heap nearly full: worker " + worker, "top", "--once");
            run.awaitRemark("heap-full", null, "worker " + worker + " has ");
            run.awaitTrouble("numbers", "heap-full");
            run.awaitFigure(
                    "updraft_worker_heap_after_collection_ratio",
                    value -> value > 0.9,
                    "topology",
                    "numbers",
                    "worker",
                    worker);
            run.process().awaitErr("ran out of memory (");
            run.awaitLine("leak to out of memory", "worker " + worker + " .* ran out of memory .* " + holder);
            run.awaitAnswer("worker \\d: .*last: out of memory in sink at ", "top", "--once");
        }
    }

    private static void awaitRestart(ObservedRun run) throws Exception {
        String worker = run.process().err().stream()
                .filter(line -> line.contains("in component 'sink'"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*worker (\\d).*", "$1");
        run.awaitFigure("updraft_worker_restarts_total", value -> value > 0, "topology", "numbers", "worker", worker);
    }

    @Test
    void shouldNameAWorkerThatDoesNotAnswer() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Endless.class, "--workers=2", "-c", JVM)) {
            run.process().awaitOutEnding("running");
            long pid = run.process().workers().get(0).pid();
            assertThat(new ProcessBuilder("kill", "-STOP", "" + pid).start().waitFor())
                    .isZero();
            run.failsNow();
            run.awaitLine("SIGSTOPped worker", "workers 1 of 2 up: worker \\d \\(process " + pid + "\\) is silent");
            run.awaitAnswer("\\d \\(process " + pid + ", silent\\)", "ps");
            run.awaitRemark("worker-down", null, "worker \\d: silent");
            String worker = run.process().err().stream()
                    .filter(line -> line.contains("is silent"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll(".*worker (\\d).*", "$1");
            run.awaitFigure("updraft_worker_up", value -> value == 0, "topology", "numbers", "worker", worker);
        }
    }
}
