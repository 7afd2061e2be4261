package io.updraft.engine.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class HandoverTest {

    private static final Origin ORIGIN = Origin.of("c", "s", 1, new Fields("v"), null);
    private static final int MANY = 20_000;

    private final Handover handover = new Handover(4);

    private static Batch of(int number) {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(ORIGIN, List.of(number)), number % 3);
        batch.addReport(Batch.ACK, 1, number, 2L * number);
        return batch;
    }

    @Test
    void shouldGiveAllThatWaitsAtOnceAndInOrder() {
        for (int number = 0; number < 4; number++) {
            Batch sent = of(number);
            assertThat(handover.offer(sent)).isTrue();
            assertThat(sent.isEmpty()).as("moved, not copied").isTrue();
        }

        Batch taken = handover.poll();

        assertThat(taken.tupleCount()).isEqualTo(4);
        assertThat(taken.reportCount()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(taken.tuple(i).getValue(0)).isEqualTo(i);
            assertThat(taken.target(i)).isEqualTo(i % 3);
            assertThat(taken.root(i)).isEqualTo(i);
            assertThat(taken.value(i)).isEqualTo(2L * i);
        }
        assertThat(handover.poll()).isNull();
        assertThat(handover.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepWhatItHasNoRoomForWithTheSender() {
        for (int number = 0; number < 4; number++) {
            handover.offer(of(number));
        }
        Batch tooMuch = of(4);

        assertThat(handover.offer(tooMuch)).isFalse();

        assertThat(tooMuch.tupleCount()).isEqualTo(1);
        assertThat(handover.poll().tupleCount()).isEqualTo(4);
        assertThat(handover.offer(tooMuch)).isTrue();
    }

    @Test
    void shouldSayWithTheLastTuplesThatTheyAreTheLast() {
        handover.offer(of(1));
        handover.offerLast();

        Batch taken = handover.poll();

        assertThat(taken.isLast()).isTrue();
        assertThat(taken.tupleCount()).isEqualTo(1);
    }

    @Test
    void shouldHandOverAllInOrderBetweenTwoThreads() throws Exception {
        Thread sender = new Thread(this::sendMany);
        sender.start();
        List<Integer> wrong = new ArrayList<>();
        int next = 0;
        for (Batch taken = null; next < MANY; ) {
            while ((taken = handover.poll()) == null) {
                Thread.yield();
            }
            for (int i = 0; i < taken.tupleCount(); i++, next++) {
                if ((int) taken.tuple(i).getValue(0) != next || taken.root(i) != next) {
                    wrong.add(next);
                }
            }
            taken.clear();
            handover.giveBack(taken);
        }
        sender.join();

        assertThat(wrong).isEmpty();
        assertThat(next).isEqualTo(MANY);
    }

    private void sendMany() {
        for (int number = 0; number < MANY; number++) {
            Batch sent = of(number);
            while (!handover.offer(sent)) {
                Thread.yield();
            }
        }
    }
}
