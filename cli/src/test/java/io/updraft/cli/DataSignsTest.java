package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Ailing;
import io.updraft.cli.programs.Holding;
import io.updraft.cli.programs.Skewed;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of the table in docs/operating.md that are about tuples: each failure with its signs. */
@Tag("long")
class DataSignsTest {
    private static final String JVM = "topology.worker.childopts=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx600m";

    @TempDir
    Path directory;

    @Test
    void shouldNameABoltThatNeverAcks() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Holding.class)) {
            run.awaitFailure("running");
            run.awaitLine("bolt that never acks", "NEVER ACKED: sink holds 100");
            run.awaitAnswer("never acked: sink holds 100", "top", "--once");
            assertThat(run.awaitRemark("never-acked", null, "sink holds 100").toString())
                    .contains("condition=no progress");
            run.awaitTrouble("numbers", "never-acked");
            run.awaitFigure(
                    "updraft_component_in_flight_trees",
                    value -> value == 100,
                    "topology",
                    "numbers",
                    "component",
                    "numbers");
            run.awaitFigure(
                    "updraft_component_acked_tuples_total",
                    value -> value == 0,
                    "topology",
                    "numbers",
                    "component",
                    "sink");
        }
    }

    @Test
    void shouldNameAHotKey() throws Exception {
        try (ObservedRun run = ObservedRun.run(directory, Skewed.class, "--", "80")) {
            run.awaitFailure("counted");
            run.awaitLine(
                    "hot key", "^hot key: \\d\\d% of words's tuples for count have word, day = the, 3; task \\d+ ");
            run.awaitAnswer("hot key: \\d\\d% of words's tuples for count", "top", "--once");
            run.awaitRemark("hot-key", "count", "words's tuples for count have word, day = the, 3");
            run.awaitTrouble("skewed", "hot-key");
            run.awaitFigure(
                    "updraft_component_hot_key_ratio",
                    value -> value > 0.5,
                    "topology",
                    "skewed",
                    "component",
                    "count");
        }
    }

    @Test
    void shouldNameTheSenderOfAHugeTuple() throws Exception {
        try (ObservedRun run = ailInWorkers(Ailing.Way.HUGE_TUPLE)) {
            run.awaitLine(
                    "200 MB tuple", "^error .* numbers.*: .*a tuple of component 'numbers' on stream 'default' needs");
            awaitRefusal(run, "a tuple of component 'numbers' on stream 'default' needs");
        }
    }

    @Test
    void shouldNameTheSenderOfAValueThatCannotBeSerialized() throws Exception {
        try (ObservedRun run = ailInWorkers(Ailing.Way.UNSERIALIZABLE_VALUE)) {
            run.awaitLine(
                    "unserialisable value",
                    "^error .* numbers.*a tuple of component 'numbers' on stream 'default', field 0 of class"
                            + " .*Ailing\\$Connection, cannot be serialized");
            awaitRefusal(run, "Ailing\\$Connection, cannot be serialized");
        }
    }

    private static void awaitRefusal(ObservedRun run, String text) throws Exception {
        run.awaitAnswer(text, "errors");
        run.awaitRemark("error", "numbers", text);
        run.awaitFigure(
                "updraft_component_errors_total", value -> value > 0, "topology", "ailing", "component", "numbers");
        run.awaitFigure(
                "updraft_component_failed_tuples_total",
                value -> value > 0,
                "topology",
                "ailing",
                "component",
                "numbers");
    }

    private ObservedRun ailInWorkers(Ailing.Way way) throws Exception {
        ObservedRun run = ObservedRun.run(directory, Ailing.class, "--workers=2", "-c", JVM, "--", way.name());
        run.awaitFailure(Ailing.FAILS_NOW);
        return run;
    }

    @Test
    void shouldShowTheDeadLettersOfMessagesThatFailAgainAndAgain() throws Exception {
        try (ObservedRun run = ObservedRun.run(
                directory,
                Ailing.class,
                "-c",
                "updraft.max.replays=1",
                "-c",
                "updraft.dead.letter.file=dead.json",
                "--",
                Ailing.Way.FAILED_MESSAGES.name())) {
            run.awaitFailure(Ailing.FAILS_NOW);
            run.awaitRemark("dead-lettered", null, "numbers \\d+");
            run.awaitAnswer(
                    "\"component\":\"numbers\".*\"failures\":2|\"failures\":2.*\"component\":\"numbers\"",
                    "dead-letters");
            run.awaitFigure(
                    "updraft_component_dead_lettered_messages_total",
                    value -> value > 0,
                    "topology",
                    "ailing",
                    "component",
                    "numbers");
            assertThat(run.process().isAlive()).isTrue();
        }
    }
}
