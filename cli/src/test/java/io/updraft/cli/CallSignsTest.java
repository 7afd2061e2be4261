package io.updraft.cli;

import io.updraft.cli.programs.Ailing;
import io.updraft.cli.programs.Deadlocking;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of the table in docs/operating.md that are about calls of components: each failure with its signs. */
@Tag("slow")
class CallSignsTest {
    private static final String STUCK = "updraft_component_stuck_calls";
    private static final String ERRORS = "updraft_component_errors_total";

    @TempDir
    Path directory;

    @Test
    void shouldNameASleepingBolt() throws Exception {
        try (ObservedRun run = ail(Ailing.Way.SLEEPING_BOLT)) {
            run.awaitLine(
                    "sleeping bolt", "^stuck: sink task \\d+ in execute\\(\\) for \\d+s at Ailing.java:\\d+, sleeping");
            run.awaitAnswer("at .*Ailing\\.sleepForever\\(", "stack", "sink");
            run.awaitRemark("stuck", "sink", "sink task \\d+ in execute\\(\\) for \\d+s at Ailing.java:\\d+, sleeping");
            run.awaitTrouble("ailing", "stuck");
            run.awaitAnswer("stuck: sink task \\d+ in execute\\(\\)", "ps");
            run.awaitFigure(STUCK, value -> value == 1, labels("sink"));
        }
    }

    @Test
    void shouldNameADeadlock() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Deadlocking.class)) {
            run.awaitFailure("hangs");
            run.awaitLine(
                    "deadlock",
                    "^stuck: sink task \\d+ in execute\\(\\) for \\d+s at Deadlocking.java:\\d+, DEADLOCK: waiting for"
                            + " java.lang.Object@\\w+ held by 'flusher'");
            run.awaitRemark("deadlock", "sink", "DEADLOCK: waiting for java.lang.Object@\\w+ held by 'flusher'");
            run.awaitTrouble("numbers", "deadlock");
            run.awaitAnswer(" +sink: 'updraft-.*' waits for java.lang.Object@\\w+, held by 'flusher'", "stack", "sink");
            run.awaitFigure(STUCK, value -> value == 1, "topology", "numbers", "component", "sink");
        }
    }

    @Test
    void shouldNameAnEndlessLoop() throws Exception {
        try (ObservedRun run = ail(Ailing.Way.ENDLESS_LOOP)) {
            run.awaitLine(
                    "endless loop", "^stuck: sink task \\d+ in execute\\(\\) for \\d+s at Ailing.java:\\d+, running");
            run.awaitAnswer("at .*Ailing\\$AilingBolt\\.loopForever\\(", "stack", "sink");
            run.awaitRemark("stuck", "sink", "running");
            run.awaitFigure(STUCK, value -> value == 1, labels("sink"));
        }
    }

    @Test
    void shouldNameASpoutThatNeverReturns() throws Exception {
        try (ObservedRun run = ail(Ailing.Way.ENDLESS_SPOUT)) {
            run.awaitLine(
                    "spout that never returns",
                    "^stuck: numbers task \\d+ in nextTuple\\(\\) for \\d+s at Ailing.java:\\d+, sleeping");
            run.awaitAnswer("at .*Ailing\\$AilingSpout\\.waitForAnAnswer\\(", "stack", "numbers");
            run.awaitRemark("stuck", "numbers", "nextTuple\\(\\)");
            run.awaitFigure(STUCK, value -> value == 1, labels("numbers"));
        }
    }

    @Test
    void shouldNameAThrowingSpout() throws Exception {
        try (ObservedRun run = ail(Ailing.Way.THROWING_SPOUT)) {
            run.awaitLine(
                    "throwing spout",
                    "^error .* numbers\\[\\d+] nextTuple: IllegalStateException: the connection is closed \\(");
            run.awaitAnswer("numbers\\[\\d+] nextTuple: IllegalStateException: the connection is closed", "errors");
            run.awaitRemark("error", "numbers", "nextTuple: IllegalStateException: the connection is closed");
            run.awaitFigure(ERRORS, value -> value > 0, labels("numbers"));
        }
    }

    @Test
    void shouldNameAStackOverflow() throws Exception {
        try (ObservedRun run = ail(Ailing.Way.STACK_OVERFLOW)) {
            run.awaitLine(
                    "stack overflow",
                    "^error .* sink\\[\\d+] execute: StackOverflowError at .*AilingBolt\\.recurse\\(Ailing.java:\\d+\\)");
            run.awaitAnswer("sink\\[\\d+] execute: StackOverflowError at .*AilingBolt\\.recurse\\(", "errors");
            run.awaitRemark("error", "sink", "execute: StackOverflowError at .*AilingBolt\\.recurse\\(");
            run.awaitFigure(ERRORS, value -> value > 0, labels("sink"));
        }
    }

    private ObservedRun ail(Ailing.Way way) throws Exception {
        ObservedRun run = ObservedRun.run(directory, Ailing.class, "--", way.name());
        run.awaitFailure(Ailing.FAILS_NOW);
        return run;
    }

    private static String[] labels(String component) {
        return new String[] {"topology", "ailing", "component", component};
    }
}
