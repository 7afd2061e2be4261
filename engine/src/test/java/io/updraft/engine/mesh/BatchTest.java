package io.updraft.engine.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class BatchTest {

    private static EngineTuple tuple(int n) {
        return EngineTuple.untracked(Origin.of("c", "s", 1, new Fields("v"), null), List.of(n));
    }

    @Test
    void shouldKeepTuplesAndDeltasInOrderWhileItGrows() {
        Batch batch = new Batch();
        for (int i = 0; i < 1_000; i++) {
            batch.add(tuple(i), i * 2);
            batch.addDelta(i, i * 3L, i * 5L);
        }
        assertThat(batch.tupleCount()).isEqualTo(1_000);
        assertThat(batch.deltaCount()).isEqualTo(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(batch.tuple(i).getValue(0)).isEqualTo(i);
            assertThat(batch.target(i)).isEqualTo(i * 2);
            assertThat(batch.owner(i)).isEqualTo(i);
            assertThat(batch.root(i)).isEqualTo(i * 3L);
            assertThat(batch.delta(i)).isEqualTo(i * 5L);
        }
    }

    @Test
    void shouldAppendAnotherBatchAndLeaveItUnchanged() {
        Batch first = new Batch();
        Batch second = new Batch(2, 2);
        first.add(tuple(1), 1);
        second.add(tuple(2), 2);
        second.addDelta(3, 4, 5);
        first.addAll(second);
        assertThat(first.tupleCount()).isEqualTo(2);
        assertThat(first.tuple(1)).isSameAs(second.tuple(0));
        assertThat(first.deltaCount()).isEqualTo(1);
        assertThat(second.tupleCount()).isEqualTo(1);
    }

    @Test
    void shouldBeReusableOnceCleared() {
        Batch batch = new Batch();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20_000; i++) {
                batch.add(tuple(i), i);
                batch.addDelta(1, i, i);
            }
            assertThat(batch.tuple(19_999).getValue(0)).isEqualTo(19_999);
            batch.clearTuples();
            assertThat(batch.tupleCount()).isZero();
            assertThat(batch.deltaCount()).isEqualTo(20_000);
            assertThat(batch.isEmpty()).isFalse();
            batch.clearDeltas();
            assertThat(batch.isEmpty()).isTrue();
        }
    }

    @Test
    void shouldForgetItsTuplesWhenCleared() {
        Batch batch = new Batch();
        batch.add(tuple(1), 1);
        batch.clear();
        assertThat(batch.tuple(0)).isNull();
    }
}
