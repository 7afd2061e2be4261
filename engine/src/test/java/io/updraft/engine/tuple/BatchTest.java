package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class BatchTest {

    private static EngineTuple tuple(int n) {
        return EngineTuple.untracked(Origin.of("c", "s", 1, new Fields("v"), null), List.of(n));
    }

    @Test
    void shouldKeepTuplesAndReportsInOrderWhileItGrows() {
        Batch batch = new Batch();
        for (int i = 0; i < 1_000; i++) {
            batch.add(tuple(i), i * 2);
            batch.addReport(i % 4 == 1 ? Batch.FAIL : i % 4, i, i * 3L, i * 5L);
        }
        assertThat(batch.tupleCount()).isEqualTo(1_000);
        assertThat(batch.reportCount()).isEqualTo(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(batch.tuple(i).getValue(0)).isEqualTo(i);
            assertThat(batch.target(i)).isEqualTo(i * 2);
            assertThat(batch.owner(i)).isEqualTo(i);
            assertThat(batch.root(i)).isEqualTo(i * 3L);
            assertThat(batch.value(i)).isEqualTo(i * 5L);
            assertThat(batch.kind(i)).isEqualTo(i % 4 == 1 ? Batch.FAIL : i % 4);
        }
    }

    @Test
    void shouldAppendAnotherBatchAndLeaveItUnchanged() {
        Batch first = new Batch();
        Batch second = new Batch(2, 2);
        first.add(tuple(1), 1);
        second.add(tuple(2), 2);
        second.addReport(Batch.ACK, 3, 4, 5);
        first.addAll(second);
        assertThat(first.tupleCount()).isEqualTo(2);
        assertThat(first.tuple(1)).isSameAs(second.tuple(0));
        assertThat(first.reportCount()).isEqualTo(1);
        assertThat(second.tupleCount()).isEqualTo(1);
    }

    @Test
    void shouldBeReusableOnceCleared() {
        Batch batch = new Batch();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20_000; i++) {
                batch.add(tuple(i), i);
                batch.addReport(Batch.ACK, 1, i, i);
            }
            assertThat(batch.tuple(19_999).getValue(0)).isEqualTo(19_999);
            batch.clearTuples();
            assertThat(batch.tupleCount()).isZero();
            assertThat(batch.reportCount()).isEqualTo(20_000);
            assertThat(batch.isEmpty()).isFalse();
            batch.clearReports();
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

    @Test
    void shouldJoinAcksOfConsecutiveTrees() {
        Batch batch = new Batch();
        batch.addOnlyEdges(7, 10, 1);
        batch.addOnlyEdges(7, 11, 1);
        batch.addOnlyEdges(7, 12, 3);
        batch.addOnlyEdges(8, 15, 1);
        batch.addOnlyEdges(8, 17, 1);
        batch.addReport(Batch.FAIL, 8, 18, 1);
        batch.addOnlyEdges(8, 19, 1);
        assertThat(batch.reportCount()).isEqualTo(5);
        assertThat(batch.root(0)).isEqualTo(10);
        assertThat(batch.value(0)).isEqualTo(5);
        assertThat(batch.kind(0)).isEqualTo(Batch.ACK_ONLY_EDGE);
        assertThat(batch.root(2)).isEqualTo(17);
        assertThat(batch.kind(3)).isEqualTo(Batch.FAIL);
        assertThat(batch.owner(4)).isEqualTo(8);
    }
}
