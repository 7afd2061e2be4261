package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Straining;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of the table in docs/operating.md that are about topologies that work, but not well: each with its signs. */
@Tag("long")
class StrainSignsTest {
    @TempDir
    Path directory;

    private ObservedRun strain(Straining.Way way) throws Exception {
        return ObservedRun.run(directory, Straining.class, "--interval=1s", "--", way.name());
    }

    @Test
    void shouldNameTheSlowConsumerOfAFanOut() throws Exception {
        try (ObservedRun run = strain(Straining.Way.FAN_OUT)) {
            run.awaitLine("slow consumer of a fan-out", "bottleneck sink");
            run.awaitAnswer("bottleneck: sink: \\d+% busy", "top", "--once");
            run.awaitAnswer("advice: sink 1 -> \\d.* would give about", "top", "--once");
            run.awaitRemark("bottleneck", "sink", "sink: \\d+% busy");
            run.awaitTrouble("straining", "bottleneck");
        }
    }

    @Test
    void shouldNameTheLineOfACallThatEmitsWithoutEnd() throws Exception {
        try (ObservedRun run = strain(Straining.Way.ENDLESS_EMITS)) {
            run.awaitLine(
                    "endless emits in one call",
                    "^stuck: fan task \\d+ in execute\\(\\) for \\d+s at Straining.java:\\d+, waiting for room in emit");
            run.awaitAnswer("Straining\\$Fan\\.emit\\(Straining.java:", "stack", "fan");
            run.awaitAnswer("stuck: fan task \\d+ in execute\\(\\).* waiting for room in emit", "ps");
            run.awaitRemark("stuck", "fan", "at Straining.java:\\d+, waiting for room in emit");
            run.awaitTrouble("straining", "stuck");
        }
    }

    @Test
    void shouldTellCallsThatWaitFromThoseThatCompute() throws Exception {
        try (ObservedRun run = strain(Straining.Way.WAITING_CALLS)) {
            run.awaitLine("calls that wait", "bottleneck sink");
            run.awaitAnswer("bottleneck: sink: \\d+% of its time in calls that wait", "top", "--once");
            run.awaitRemark("bottleneck", "sink", "in calls that wait");
            run.awaitTrouble("straining", "bottleneck");
        }
    }

    @Test
    void shouldShowErrorsThatABoltReports() throws Exception {
        try (ObservedRun run = strain(Straining.Way.REPORTED_ERRORS)) {
            run.awaitLine("reported error", "^error .* sink\\[\\d+] reportError: IllegalStateException: no rate");
            run.awaitAnswer("straining: errors: sink \\d+", "errors");
            run.awaitAnswer("sink\\[\\d+] reportError: IllegalStateException: no rate.*; \\d+ times", "errors");
            run.awaitRemark("error", "sink", "reportError: IllegalStateException: no rate for currency 17");
            run.awaitFigure(
                    "updraft_component_errors_total", value -> value > 0, "topology", "straining", "component", "sink");
        }
    }

    @Test
    void shouldNameAComponentThatFailsTuples() throws Exception {
        try (ObservedRun run = strain(Straining.Way.FAILED_TUPLES)) {
            run.awaitLine("failing tuples", "straining running: .*, FAILED \\S+/s");
            run.awaitAnswer("failing: sink: \\S+ tuples/s fail", "ps");
            assertThat(run.awaitRemark("failing", "sink", "tuples/s fail").toString())
                    .contains("condition=failing");
            run.awaitTrouble("straining", "failing");
        }
    }

    @Test
    void shouldNotCallAStartStuckThatTakesSomeSeconds() throws Exception {
        try (ObservedRun run = strain(Straining.Way.SLOW_START)) {
            run.awaitAnswer("straining .* executors", "ps");
            run.awaitFigure(
                    "updraft_component_executed_tuples_total",
                    value -> value > 0,
                    "topology",
                    "straining",
                    "component",
                    "sink");
            assertThat(run.process().err()).noneMatch(line -> line.startsWith("stuck: "));
        }
    }
}
