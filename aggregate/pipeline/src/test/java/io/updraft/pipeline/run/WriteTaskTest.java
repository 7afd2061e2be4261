package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

final class WriteTaskTest {

    private static final long FROM_THE_BEGINNING = -2;

    private static final Schema KEYS = new Schema(List.of(new Schema.Field("k", FieldType.LONG)));
    private static final Query COUNTS = query(KEYS, new Measure("n", AggregateFunction.COUNT, null, 0));

    private final List<String> happened = new ArrayList<>();

    @Test
    void shouldCommitPositionsOnlyAfterWhatWasPutAsideBeforeThemLasts() throws Exception {
        Partition partition = partition(null);
        try (WriteTask task = task(new Recording(), new FailingTwice())) {
            task.handle(closed(partition, 10));
        }
        assertThat(happened).containsExactly("not put aside", "not put aside", "put aside", "sink 10", "commit 10");
    }

    @Test
    void shouldCommitPositionsOnlyAfterGroupsThatOverflowLast() throws Exception {
        Partition partition = partition(null);
        try (WriteTask task = task(new Recording(), new FailingTwice())) {
            task.handle(new AggregateOutput.Closed(
                    0,
                    partition.share(),
                    List.of(overflowing()),
                    5,
                    5,
                    Map.of(),
                    Map.of(partition, 10L),
                    UnusableRecords.Counts.NONE));
        }
        assertThat(happened)
                .containsExactly(
                        "g [0, 1000) 7", "not put aside", "not put aside", "put aside", "sink 10", "commit 10");
    }

    private static Query query(Schema schema, Measure measure) {
        return new Query(schema, List.of("k"), List.of(measure), WindowSpec.tumbling(Duration.ofSeconds(1)));
    }

    private static PartialResult overflowing() {
        Schema schema =
                new Schema(List.of(new Schema.Field("k", FieldType.LONG), new Schema.Field("v", FieldType.LONG)));
        Aggregator aggregator = Aggregators.create(
                query(schema, new Measure("sum", AggregateFunction.SUM, "v", 0)), AggregatorOptions.inMemory());
        RecordRow row = new RecordRow(schema);
        for (int i = 0; i < 2; i++) {
            row.setLong(0, 7);
            row.setLong(1, Long.MIN_VALUE);
            aggregator.add(row, 0);
        }
        return aggregator.closeWindows(1000).get(0);
    }

    /** "From the beginning" is no position that anybody could commit; where that was is one. */
    @Test
    void shouldCommitWhereReadingHasBegunBeforeAnyRecordIsDone() throws Exception {
        Partition partition = partition(null);
        partition.begin().set(7);
        try (WriteTask task = task(new Recording(), new RejectedRecordSinks(null, null))) {
            task.handle(closed(partition, FROM_THE_BEGINNING));
            task.handle(closed(partition, 12));
        }
        assertThat(happened).containsExactly("sink 7", "commit 7", "sink 12", "commit 12");
    }

    @Test
    void shouldFailWithOneLineIfTheLastResultsCannotBeCommittedAnyMore() throws Exception {
        RecordSource.Ownership ownership = () -> {};
        Partition partition = partition(ownership);
        try (WriteTask task = task(new Losing(ownership), new RejectedRecordSinks(null, null))) {
            task.handle(closed(partition, 10)); // Nobody is told: another process goes on with it.
            assertThat(happened).isEmpty();
            task.handle(closed(partition(ownership), 12));
            assertThatExceptionOfType(SinkException.class)
                    .isThrownBy(() -> {
                        task.handle(new AggregateOutput.TaskEnded(0));
                        task.handle(closed(partition(ownership), 14));
                    })
                    .withMessageStartingWith("the last results were not written");
        }
        assertThat(happened).isEmpty();
    }

    @Test
    void shouldWriteResultsButHoldPositionsBehindManyUnusableRecordsUntilAUsableOneComes() throws Exception {
        Partition partition = partition(null);
        Recording sink = new Recording();
        try (WriteTask task = task(sink, new RejectedRecordSinks(null, null))) {
            task.handle(closed(partition, 1, new UnusableRecords.Counts(0, 1, "u at 0: no")));
            task.handle(closed(partition, 10, new UnusableRecords.Counts(1, 0, null)));
            task.handle(closed(partition, 60, new UnusableRecords.Counts(0, 50, "u at 10: no")));
            assertThat(happened).containsExactly("sink 1", "commit 1", "sink 10", "commit 10", "sink 60", "commit 60");
            happened.clear();
            task.handle(closed(partition, 200, new UnusableRecords.Counts(0, 51, "u at 60: no")));
            assertThat(happened).isEmpty();
            task.handle(counted(partition, 1, 400));
            assertThat(sink.results).isEqualTo(1);
            assertThat(happened).containsExactly("sink 60", "commit 60");
            task.handle(closed(partition, 500, new UnusableRecords.Counts(1, 0, null)));
            task.handle(closed(partition, 900, new UnusableRecords.Counts(0, 101, "u at 500: no")));
            task.handle(new AggregateOutput.TaskEnded(0));
            assertThat(happened).containsExactly("sink 60", "commit 60", "sink 500", "commit 500");
        }
    }

    @Test
    void shouldNotPassTheUnusableRecordsOfAPartitionThatIsOver() throws Exception {
        Partition partition = partition(null);
        partition.end().set(300);
        try (WriteTask task = task(new Recording(), new RejectedRecordSinks(null, null))) {
            task.handle(closed(partition, 10, new UnusableRecords.Counts(1, 0, null)));
            task.handle(
                    closed(partition, AggregateOutput.OVER + 300, new UnusableRecords.Counts(0, 290, "u at 10: no")));
            task.tick();
            assertThat(happened).containsExactly("sink 10", "commit 10");
            assertThat(task.partitions()).isPositive();
            Partition other = partition(null);
            task.handle(closed(other, 5, new UnusableRecords.Counts(1, 0, null)));
            assertThat(happened)
                    .containsExactly("sink 10", "commit 10", "sink 300", "sink 5", "commit 300", "commit 5");
        }
    }

    @Test
    void shouldMakeDeadLettersOfRefusedRowsBeforeItCommitsTheOthers() throws Exception {
        Partition partition = partition(null);
        try (WriteTask task = task(new Refusing(key -> key % 3 == 0), new Storing())) {
            task.handle(counted(partition, 7, 10));
        }
        assertThat(happened)
                .containsExactly("refused 3", "refused 6", "put aside", "written [1, 2, 4, 5, 7]", "commit 10");
    }

    @Test
    void shouldContinueAfterAResultWhoseRowsAreAllRefused() throws Exception {
        Partition partition = partition(null);
        try (WriteTask task = task(new Refusing(key -> key == 1), new Storing())) {
            task.handle(counted(partition, 1, 10));
            task.handle(counted(partition, 2, 20));
        }
        assertThat(happened)
                .containsExactly(
                        "refused 1",
                        "put aside",
                        "written []",
                        "commit 10",
                        "refused 1",
                        "put aside",
                        "written [2]",
                        "commit 20");
    }

    @Test
    void shouldFailWithoutACommitWhereASinkRefusesManyRowsAndTakesNone() throws Exception {
        Partition partition = partition(null);
        try (WriteTask task = task(new Refusing(key -> true), new Storing())) {
            assertThatExceptionOfType(SinkException.class)
                    .isThrownBy(() -> task.handle(counted(partition, 2_000, 10)))
                    .withMessageContaining("memory has refused the first 2000 groups and taken none")
                    .withMessageContaining("not today");
        }
        assertThat(happened).isEmpty();
    }

    private static AggregateOutput.Closed counted(Partition partition, int groups, long done) {
        Aggregator aggregator = Aggregators.create(COUNTS, AggregatorOptions.inMemory());
        RecordRow row = new RecordRow(KEYS);
        for (int i = 1; i <= groups; i++) {
            row.setLong(0, i);
            aggregator.add(row, 0);
        }
        return new AggregateOutput.Closed(
                0,
                partition.share(),
                aggregator.closeWindows(1000),
                5,
                5,
                Map.of(),
                Map.of(partition, done),
                UnusableRecords.Counts.NONE);
    }

    /** Records the refused groups, and when they are durable. */
    private final class Storing extends Asides {

        private boolean waiting;

        @Override
        public void overflow(String partition, TimeWindow window, WindowResult.Overflow group) {
            assertThat(group.reason()).isEqualTo("memory refuses the group: not today");
            happened.add("refused " + group.row().getLong(0));
            waiting = true;
        }

        @Override
        public void flush() {
            if (waiting) {
                happened.add("put aside");
            }
            waiting = false;
        }
    }

    /** Refuses keys; writes nothing of a flush with such a key. */
    private final class Refusing extends Memory {

        private final LongPredicate refuses;
        private final List<Long> keys = new ArrayList<>();
        private final List<RefusedRow> refused = new ArrayList<>();

        private Refusing(LongPredicate refuses) {
            this.refuses = refuses;
        }

        @Override
        public void write(WindowResult result, String partition) {
            long[] next = {0};
            result.forEach(row -> {
                if (refuses.test(row.getLong(0))) {
                    refused.add(new RefusedRow(0, next[0], "not today"));
                } else {
                    keys.add(row.getLong(0));
                }
                next[0]++;
            });
        }

        @Override
        public boolean flush(List<PartitionPosition> commits) throws SinkException {
            List<RefusedRow> rows = List.copyOf(refused);
            List<Long> written = keys.stream().sorted().toList();
            refused.clear();
            keys.clear();
            if (!rows.isEmpty()) {
                throw SinkException.refused(rows, where(), null);
            }
            happened.add("written " + written);
            return false;
        }
    }

    private static Partition partition(RecordSource.Ownership ownership) {
        return new Partition(
                "u", new Partition.Share("g", 1, ownership), 0, ProcessedRanges.NONE, new AtomicLong(), position -> "");
    }

    private static AggregateOutput.Closed closed(Partition partition, long done) {
        return closed(partition, done, UnusableRecords.Counts.NONE);
    }

    private static AggregateOutput.Closed closed(Partition partition, long done, UnusableRecords.Counts used) {
        return new AggregateOutput.Closed(
                0, partition.share(), List.of(), 5, 5, Map.of(), Map.of(partition, done), used);
    }

    private WriteTask task(ResultSink sink, RejectionHandler rejected) throws Exception {
        WriteTask task = new WriteTask(
                plan(sink, rejected),
                commits -> commits.values().forEach(each -> happened.add("commit " + each.position())),
                () -> 0,
                new SinkRetries(new StopRequest(), null, 0, () -> {}),
                new WriteCounters(),
                WriteTask.MAX_GROUPS);
        task.open();
        return task;
    }

    private static RunPlan.Aggregation plan(ResultSink sink, RejectionHandler rejected) {
        return new RunPlan.Aggregation(
                new RunPlan.Settings(
                        "test",
                        kept -> null,
                        () -> null,
                        true,
                        true,
                        1,
                        Duration.ZERO,
                        null,
                        rejected,
                        new UnusableRecords(false, UnusableRecords.MAX_DAMAGED)),
                COUNTS,
                null,
                null,
                AggregatorOptions.inMemory(),
                TimeSpec.NONE,
                Duration.ZERO,
                Duration.ZERO,
                List.of(sink));
    }

    private final class FailingTwice extends Asides {

        private int attempts;

        @Override
        public void overflow(String partition, TimeWindow window, WindowResult.Overflow group) {
            happened.add(partition + " [" + window.start() + ", " + window.end() + ") "
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

    /** Whoever writes to it is told that another process has the partitions. */
    private static final class Losing extends Memory {
        private final RecordSource.Ownership ownership;

        private Losing(RecordSource.Ownership ownership) {
            this.ownership = ownership;
        }

        @Override
        public boolean flush(List<PartitionPosition> commits) throws SinkException {
            throw SinkException.lostOwnerships(Set.of(ownership), "lost", null);
        }
    }

    private final class Recording extends Memory {
        private int results;

        @Override
        public void write(WindowResult result, String partition) {
            results++;
        }

        @Override
        public boolean flush(List<PartitionPosition> commits) {
            commits.forEach(commit -> happened.add("sink " + commit.position()));
            return false;
        }
    }

    /** Puts nothing aside but what its children do. */
    private abstract static class Asides implements RejectionHandler {
        @Override
        public void reject(String partition, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String partition, long position, RecordRow row, long time) {}
    }

    private abstract static class Memory implements ResultSink {
        @Override
        public String where() {
            return "memory";
        }

        @Override
        public void open(Schema columns, int dimensions) {}

        @Override
        public void write(WindowResult result, String partition) {}

        @Override
        public void close() {}
    }
}
