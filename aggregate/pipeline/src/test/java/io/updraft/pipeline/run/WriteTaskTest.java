package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Seen;
import io.updraft.pipeline.source.Source;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.aggregate.Function;
import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.aggregate.PartialResult;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.Window;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WriteTaskTest {

    private static final long FROM_THE_BEGINNING = -2;

    private final List<String> happened = new ArrayList<>();

    @Test
    void shouldCommitPositionsOnlyAfterWhatWasPutAsideBeforeThemLasts() throws Exception {
        Unit unit = unit(null);
        try (WriteTask task = task(new Recording(), new FailingTwice())) {
            task.handle(closed(unit, 10));
        }
        assertThat(happened).containsExactly("not put aside", "not put aside", "put aside", "sink 10", "commit 10");
    }

    @Test
    void shouldCommitPositionsOnlyAfterGroupsThatOverflowLast() throws Exception {
        Unit unit = unit(null);
        try (WriteTask task = task(new Recording(), new FailingTwice())) {
            task.handle(new Output.Closed(0, unit.group(), List.of(overflowing()), 5, 5, Map.of(), Map.of(unit, 10L)));
        }
        assertThat(happened)
                .containsExactly(
                        "g [0, 1000) 7", "not put aside", "not put aside", "put aside", "sink 10", "commit 10");
    }

    private static PartialResult overflowing() {
        Schema schema = new Schema(List.of(new Field("k", FieldType.LONG), new Field("v", FieldType.LONG)));
        Query query = new Query(
                schema,
                List.of("k"),
                List.of(new Measure("sum", Function.SUM, "v", 0)),
                WindowSpec.tumbling(Duration.ofSeconds(1)));
        Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory());
        Row row = new Row(schema);
        for (int i = 0; i < 2; i++) {
            row.setLong(0, 7);
            row.setLong(1, Long.MIN_VALUE);
            aggregator.add(row, 0);
        }
        return aggregator.close(1000).get(0);
    }

    /** "From the beginning" is no position that anybody could commit; where that was is one. */
    @Test
    void shouldCommitWhereReadingHasBegunBeforeAnyRecordIsDone() throws Exception {
        Unit unit = unit(null);
        unit.begin().set(7);
        try (WriteTask task = task(new Recording(), new RecordSinkAside(null, null))) {
            task.handle(closed(unit, FROM_THE_BEGINNING));
            task.handle(closed(unit, 12));
        }
        assertThat(happened).containsExactly("sink 7", "commit 7", "sink 12", "commit 12");
    }

    @Test
    void shouldFailWithOneLineIfTheLastResultsCannotBeCommittedAnyMore() throws Exception {
        Source.Claim claim = () -> {};
        Unit unit = unit(claim);
        try (WriteTask task = task(new Losing(claim), new RecordSinkAside(null, null))) {
            task.handle(closed(unit, 10)); // Nobody is told: another process goes on with it.
            assertThat(happened).isEmpty();
            task.handle(closed(unit(claim), 12));
            assertThatExceptionOfType(SinkException.class)
                    .isThrownBy(() -> {
                        task.handle(new Output.TaskEnded(0));
                        task.handle(closed(unit(claim), 14));
                    })
                    .withMessageStartingWith("the last results were not written");
        }
        assertThat(happened).isEmpty();
    }

    private static Unit unit(Source.Claim claim) {
        return new Unit("u", new Unit.Group("g", 1, claim), 0, Seen.NONE, new AtomicLong());
    }

    private static Output.Closed closed(Unit unit, long done) {
        return new Output.Closed(0, unit.group(), List.of(), 5, 5, Map.of(), Map.of(unit, done));
    }

    private WriteTask task(Sink sink, Aside aside) throws Exception {
        WriteTask task = new WriteTask(
                plan(sink, aside),
                commits -> commits.values().forEach(each -> happened.add("commit " + each.position())),
                () -> 0,
                new Retries(new Stop(), null, 0, () -> {}),
                new WriteCounters());
        task.open();
        return task;
    }

    private static AggregationPlan plan(Sink sink, Aside aside) {
        Schema schema = new Schema(List.of(new Field("k", FieldType.LONG)));
        Query query = new Query(
                schema,
                List.of("k"),
                List.of(new Measure("n", Function.COUNT, null, 0)),
                WindowSpec.tumbling(Duration.ofSeconds(1)));
        return new AggregationPlan(
                new RunSettings("test", kept -> null, () -> null, true, true, 1, Duration.ZERO, null, aside),
                query,
                AggregatorOptions.inMemory(),
                TimeSpec.NONE,
                Duration.ZERO,
                Duration.ZERO,
                List.of(sink));
    }

    private final class FailingTwice implements Aside {

        private int attempts;

        @Override
        public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String unit, long position, Row row, long time) {}

        @Override
        public void overflow(String unit, Window window, WindowResult.Overflow group) {
            happened.add(unit + " [" + window.start() + ", " + window.end() + ") "
                    + group.row().getLong(0));
        }

        @Override
        public void flush() throws SinkException {
            if (++attempts <= 2) {
                happened.add("not put aside");
                throw SinkException.passing("the disk is full", null);
            }
            happened.add("put aside");
        }
    }

    /** Whoever writes to it is told that another process has the units. */
    private record Losing(Source.Claim claim) implements Sink {
        @Override
        public String where() {
            return "memory";
        }

        @Override
        public void open(Schema columns, int dimensions) {}

        @Override
        public void write(WindowResult result, String unit) {}

        @Override
        public boolean flush(List<Commit> commits) throws SinkException {
            throw SinkException.lost(Set.of(claim), "lost", null);
        }

        @Override
        public void close() {}
    }

    private final class Recording implements Sink {
        @Override
        public String where() {
            return "memory";
        }

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
