package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Seen;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Function;
import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.aggregate.WindowSpec;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class WriteTaskTest {

    private final List<String> happened = new ArrayList<>();

    @Test
    void shouldCommitPositionsOnlyAfterWhatWasPutAsideBeforeThemLasts() throws Exception {
        Unit unit = new Unit("u", new Unit.Group(0, "g", 1, null), Seen.NONE);
        try (WriteTask task = new WriteTask(
                plan(),
                commits -> commits.values().forEach(each -> happened.add("commit " + each.position())),
                () -> 0,
                new Retries(new CountDownLatch(1), 0, () -> {}),
                new WriteCounters())) {
            task.open();
            task.handle(new Output.Closed(0, unit.group(), List.of(), 5, 5, Map.of(), Map.of(unit, 10L)));
        }
        assertThat(happened).containsExactly("not put aside", "not put aside", "put aside", "sink 10", "commit 10");
    }

    private RunPlan plan() {
        Schema schema = new Schema(List.of(new Field("k", FieldType.LONG)));
        Query query = new Query(
                schema,
                List.of("k"),
                List.of(new Measure("n", Function.COUNT, null, 0)),
                WindowSpec.tumbling(Duration.ofSeconds(1)));
        return new RunPlan(
                "test",
                List.of(kept -> null),
                () -> null,
                query,
                AggregatorOptions.inMemory(),
                TimePolicy.none(),
                true,
                true,
                1,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                List.of(new Recording()),
                new FailingTwice(),
                null);
    }

    private final class FailingTwice implements Aside {

        private int attempts;

        @Override
        public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String unit, long position, Row row, long time) {}

        @Override
        public void flush() throws SinkException {
            if (++attempts <= 2) {
                happened.add("not put aside");
                throw SinkException.passing("the disk is full", null);
            }
            happened.add("put aside");
        }
    }

    private final class Recording implements Sink {
        @Override
        public void open(Schema columns, int dimensions) {}

        @Override
        public void write(WindowResult result, String unit) {}

        @Override
        public boolean flush(List<Commit> commits) {
            commits.forEach(commit -> happened.add("sink " + commit.position()));
            return false;
        }

        @Override
        public void close() {}
    }
}
