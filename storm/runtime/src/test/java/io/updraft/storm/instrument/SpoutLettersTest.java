package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import io.updraft.storm.UpdraftCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead letters of a spout that gives up messages itself, in a topology without {@code updraft.max.replays}. */
class SpoutLettersTest {
    private final UpdraftCluster cluster = new UpdraftCluster();
    private final AtomicReference<TopologyContext> spout = new AtomicReference<>();
    private final AtomicBoolean mended = new AtomicBoolean();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldReplayALetterThatASpoutHasAdded() throws Exception {
        QueueTopology.reset((tuple, out) -> {
            if (mended.get()) {
                QueueTopology.passOn(tuple, out);
            } else {
                out.fail(tuple);
            }
        });
        QueueTopology.onOpen((context, out) -> spout.set(context));
        QueueTopology.submit(cluster, "letters", Map.of());
        Await.until("the spout is open", () -> spout.get() != null);
        TopologyEngine engine = cluster.engine("letters");
        add(new Values(7, "seven"), 3);
        Await.until("the letter is kept", () -> !engine.deadLetters().isEmpty());
        assertThat(engine.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.component()).isEqualTo("feed");
            assertThat(letter.messageId()).isEqualTo("record 7");
            assertThat(letter.failures()).isEqualTo(3);
            assertThat(letter.reason()).isEqualTo("given up by its spout");
        });

        engine.replayAll();
        awaitReplay(engine, Replay.FAILED_AGAIN);
        mended.set(true);
        engine.replayAll();
        awaitReplay(engine, Replay.COMPLETED);
        assertThat(QueueTopology.SEEN).containsExactly(List.of(7, "seven"));
        assertThat(QueueTopology.ACKED)
                .as("the spout has done with the message")
                .isEmpty();
        assertThat(QueueTopology.FAILED).isEmpty();
        Await.until(
                "the letter is counted",
                () -> engine.snapshot().components().stream().anyMatch(component -> component.deadLettered() == 1));
    }

    private static void awaitReplay(TopologyEngine engine, Replay state) throws Exception {
        Await.until(
                "the replay is " + state,
                () -> engine.deadLetters().stream().map(DeadLetter::replay).allMatch(state::equals));
    }

    @SuppressWarnings("unchecked") // as the documentation of the resources says
    private void add(List<Object> values, int failures) {
        int task = spout.get().getThisTaskId();
        var turns = (BiConsumer<Integer, Runnable>) spout.get().getResource("updraft.turns");
        var letters = (BiConsumer<Integer, Map<String, Object>>) spout.get().getResource("updraft.letters");
        Map<String, Object> letter =
                Map.of("stream", "default", "messageId", "record 7", "values", values, "failures", failures);
        turns.accept(task, () -> letters.accept(task, letter));
    }
}
