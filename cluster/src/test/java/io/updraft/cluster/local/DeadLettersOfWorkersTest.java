package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import io.updraft.engine.testing.TestBolt;
import java.nio.file.Path;
import java.util.List;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dead letters of workers whose processes are killed or stopped. */
@Tag("long")
class DeadLettersOfWorkersTest {
    private static final int WORKERS = 2;
    private static final int LETTERS = 10;

    @TempDir
    private Path directory;

    @Test
    void shouldShowTheLettersOfAWorkerThatWasKilled() throws Exception {
        try (TestWorkers cluster = submit()) {
            LocalWorkers workers = cluster.workers();
            Await.until(
                    "the worker has reported its letters unasked",
                    () -> workers.current().letters().size() == LETTERS);
            List<DeadLetter> before = workers.deadLetters();
            TestWorkers.signal("KILL", pidOf(before.get(0), cluster));
            cluster.awaitMove(1);
            assertThat(workers.deadLetters().subList(0, LETTERS))
                    .isEqualTo(before.stream()
                            .map(letter -> letter.with(Replay.WORKER_ENDED))
                            .toList());

            cluster.awaitMove(2);
            Await.until(
                    "the worker has letters again", () -> workers.deadLetters().size() == 2 * LETTERS);
            long ended = before.get(0).number();
            assertThatThrownBy(() -> workers.replay(List.of(ended)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a replay of dead letter " + ended + " is not possible, because its worker has ended");
            assertThat(workers.replayAll())
                    .hasSize(LETTERS)
                    .noneMatch(number -> before.stream().anyMatch(letter -> letter.number() == number));
        }
    }

    @Test
    void shouldShowTheLettersOfAWorkerThatDoesNotAnswerAndRefuseTheirReplay() throws Exception {
        try (TestWorkers cluster = submit()) {
            LocalWorkers workers = cluster.workers();
            Await.until("there are letters", () -> workers.deadLetters().size() == LETTERS);
            long pid = pidOf(workers.deadLetters().get(0), cluster);
            TestWorkers.signal("STOP", pid);
            try {
                List<DeadLetter> letters = workers.deadLetters();
                assertThat(letters).hasSize(LETTERS);
                long first = letters.get(0).number();
                assertThatThrownBy(() -> workers.replay(List.of(first)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("the worker of dead letter " + first + " does not answer");
            } finally {
                TestWorkers.signal("CONT", pid);
            }
        }
    }

    /** {@return the process that keeps a letter}: worker 0 has the odd numbers. */
    private static long pidOf(DeadLetter letter, TestWorkers cluster) throws Exception {
        return cluster.pid((int) ((letter.number() - 1) % WORKERS));
    }

    private TestWorkers submit() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new ReplayingSpout(10 * LETTERS, directory.resolve("done")));
        builder.setBolt("sink", new RefusingBolt()).shuffleGrouping("source");
        return new TestWorkers(directory, WORKERS)
                .with("updraft.max.replays", 1)
                .submit(builder);
    }

    /** Fails every tenth number. */
    @SuppressWarnings("serial")
    private static final class RefusingBolt extends TestBolt {
        @Override
        public void execute(Tuple tuple) {
            if (tuple.getInteger(0) % 10 == 0) {
                out.fail(tuple);
            } else {
                out.ack(tuple);
            }
        }
    }
}
