package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.SourceEvent;
import io.updraft.engine.snapshot.Move;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.RecordSource.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionMovesTest {

    private static final long NOW = 1_700_000_000_000L;

    private final MoveLog log = new MoveLog(10);

    private EventDistributor distributor(boolean keyed) {
        return new EventDistributor(2, keyed, false, (input, task) -> {}, new PartitionMoves(log, () -> NOW));
    }

    private static Event.Opened opened(String partition, String share, String reason) {
        return new Event.Opened(partition, share, 0, Long.MIN_VALUE, ProcessedRanges.NONE, () -> {}, reason);
    }

    @Test
    void shouldSayWhichTaskGetsAPartitionOfAGroupAndWhy() throws Exception {
        EventDistributor distributor = distributor(true);
        distributor.distribute(source(
                opened("in-0", "unit-0", "joined"),
                opened("in-1", "unit-1", "joined"),
                new Event.Revoked("in-1", "a process has joined"),
                opened("in-1", "unit-1", "a process has left")));
        assertThat(log.recent())
                .containsExactly(
                        new Move(NOW, "in-0", "the group", "this process, task 0", "joined"),
                        new Move(NOW, "in-1", "the group", "this process, task 1", "joined"),
                        new Move(NOW, "in-1", "this process, task 1", "the group", "a process has joined"),
                        new Move(NOW, "in-1", "the group", "this process, task 1", "a process has left"));
    }

    @Test
    void shouldNameNoTaskIfAllTasksWorkOnAPartition() throws Exception {
        distributor(false)
                .distribute(source(
                        opened("in-0", "unit-0", "joined"),
                        new Event.Relocated("in-0", "offset 7", "its beginning", "offset 7 is gone")));
        assertThat(log.recent())
                .containsExactly(
                        new Move(NOW, "in-0", "the group", "this process", "joined"),
                        new Move(NOW, "in-0", "offset 7", "its beginning", "offset 7 is gone"));
    }

    @Test
    void shouldSayNothingOfPartitionsThatNoOtherProcessCouldRead() throws Exception {
        distributor(true).distribute(source(new Event.Opened("a.csv"), new Event.Ended("a.csv")));
        assertThat(log.recent()).isEmpty();
    }

    /** A source that has these events at once. */
    private static RecordSource source(SourceEvent... events) {
        List<SourceEvent> next = new ArrayList<>(List.of(events));
        return new RecordSource() {
            @Override
            public List<SourceEvent> poll() {
                List<SourceEvent> all = List.copyOf(next);
                next.clear();
                return all;
            }

            @Override
            public SourceProgress progress() {
                return new SourceProgress(0, -1, -1, "records");
            }

            @Override
            public void close() {}
        };
    }
}
