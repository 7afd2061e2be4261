package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PartitionFrontierTest {

    private record Piece(long since, long to, long time) {}

    /** Against the longest prefix of all pieces that has been handled. */
    @Test
    void shouldKnowTheTimeOfWhatWasHandledWithoutAGap() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            long begin = random.nextInt(3) - 2;
            Partition.Frontier frontier = new Partition.Frontier(begin);
            List<Piece> pieces = new ArrayList<>();
            long position = begin;
            for (int i = random.nextInt(20); i > 0; i--) {
                long to = position + random.nextInt(4);
                pieces.add(new Piece(position, to, random.nextInt(100)));
                position = to;
                frontier.sent(to);
            }
            List<Piece> order = new ArrayList<>(pieces);
            Collections.shuffle(order, random);
            List<Piece> handled = new ArrayList<>();
            for (Piece each : order) {
                frontier.handled(each.since, each.to, each.time);
                handled.add(each);
                long latest = Long.MIN_VALUE;
                for (Piece next : pieces) {
                    if (!handled.contains(next) && next.since < next.to) {
                        break;
                    }
                    latest = next.since < next.to ? Math.max(latest, next.time) : latest;
                }
                assertThat(frontier.latest()).as("seed %d", seed).isEqualTo(latest);
            }
            assertThat(frontier.isComplete()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void shouldBeCompleteOnlyWhenAllThatWasDealtHasBeenHandled() {
        Partition.Frontier frontier = new Partition.Frontier(0);
        assertThat(frontier.isComplete()).isTrue();
        frontier.sent(10);
        frontier.sent(20);
        frontier.handled(10, 20, 5);
        assertThat(frontier.isComplete()).isFalse();
        frontier.handled(0, 10, 7);
        assertThat(frontier.isComplete()).isTrue();
        assertThat(frontier.latest()).isEqualTo(7);
    }
}
