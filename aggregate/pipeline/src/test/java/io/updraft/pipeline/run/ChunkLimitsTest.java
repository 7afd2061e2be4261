package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The results of a partition that is read alone are a function of its records in their order, not of the chunks they come in. */
final class ChunkLimitsTest {

    private static final Schema SCHEMA =
            new Schema(List.of(new Schema.Field("time", FieldType.TIME), new Schema.Field("key", FieldType.LONG)));
    private static final int SIZE = 100;
    private static final int SEEDS = 30;
    private static final long BAD = Long.MIN_VALUE;

    @ParameterizedTest
    @CsvSource({"100, 0", "100, 60", "50, 0", "50, 75", "25, 0", "25, 40", "1, 0"})
    void shouldNotDependOnTheLimitsOfChunks(long slide, long lateness) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WindowSpec windows =
                    new WindowSpec(Duration.ofMillis(SIZE), Duration.ofMillis(slide), Duration.ofMillis(lateness));
            long disorder = new long[] {0, 45, 150}[seed % 3];
            boolean keyed = random.nextBoolean();
            long[] times = times(random);
            List<String> oneByOne = new Run(windows, disorder, keyed, times).of(from -> from + 1);
            assertThat(oneByOne).anyMatch(each -> each.startsWith("late"));
            assertThat(new Run(windows, disorder, keyed, times).of(from -> times.length))
                    .as("seed %d, one chunk", seed)
                    .isEqualTo(oneByOne);
            assertThat(new Run(windows, disorder, keyed, times).of(from -> from + 1 + random.nextInt(20)))
                    .as("seed %d, random chunks", seed)
                    .isEqualTo(oneByOne);
        }
    }

    private static long[] times(Random random) {
        long[] times = new long[200];
        long time = 1_000;
        for (int i = 0; i < times.length; i++) {
            time += random.nextInt(20);
            times[i] = random.nextInt(30) == 0 ? BAD : time - random.nextInt(random.nextInt(8) == 0 ? 600 : 60);
        }
        return times;
    }

    private interface Chunks {
        int endOf(int from);
    }

    private static final class Run implements RejectionHandler {

        private final List<String> outputs = new ArrayList<>();
        private final List<String> rejected = new ArrayList<>();
        private final long[] times;
        private final AggregateTask task;
        private final Partition partition = new Partition(
                "u", new Partition.Share("g", 1, null), 0, ProcessedRanges.NONE, new AtomicLong(1), position -> "");

        Run(WindowSpec windows, long disorder, boolean keyed, long... times) {
            this.times = times;
            Query query = new Query(
                    SCHEMA, List.of("key"), List.of(new Measure("n", AggregateFunction.COUNT, null, 0)), windows);
            RunPlan.Aggregation plan = new RunPlan.Aggregation(
                    new RunPlan.Settings(
                            "p",
                            kept -> null,
                            TimeDecoder::new,
                            keyed,
                            true,
                            1,
                            Duration.ZERO,
                            null,
                            this,
                            new UnusableRecords(false, UnusableRecords.MAX_DAMAGED)),
                    query,
                    null,
                    null,
                    AggregatorOptions.inMemory(),
                    new TimeSpec(
                            TimeSpec.Origin.EVENT,
                            "time",
                            Duration.ofMillis(disorder),
                            Duration.ZERO,
                            Duration.ofDays(1)),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of());
            task = new AggregateTask(
                    0,
                    plan,
                    () -> Aggregators.create(query, plan.limits()),
                    new TaskCounters(),
                    this::take,
                    () -> 1_000_000);
        }

        List<String> of(Chunks chunks) {
            handle(new RecordSource.Event.Opened("u"), 0, 0);
            for (int from = 0; from < times.length; ) {
                int to = Math.min(times.length, chunks.endOf(from));
                handle(chunk(from, to), from, to);
                task.tick();
                from = to;
            }
            task.handle(new TaskInput.SourceEnded(true));
            outputs.addAll(rejected);
            return outputs;
        }

        private void handle(SourceEvent event, long since, long sent) {
            task.handle(new TaskInput.OfPartition(partition, event, since, sent));
        }

        private Chunk chunk(int from, int to) {
            int[] ends = new int[to - from];
            long[] positions = new long[to - from];
            Arrays.setAll(positions, i -> from + i);
            return new Chunk("u", from, to, new byte[0], 0, ends, positions, null);
        }

        private void take(AggregateOutput output) {
            if (output instanceof AggregateOutput.Closed closed) {
                closed.results().forEach(result -> {
                    List<String> rows = new ArrayList<>();
                    result.forEach(row -> rows.add(row.getLong(0) + "=" + row.getLong(1)));
                    rows.sort(null);
                    outputs.add(result.emission() + " " + result.window() + " " + rows);
                });
            }
        }

        @Override
        public void reject(String name, long position, byte[] bytes, int from, int length, String reason) {
            rejected.add("bad " + position);
        }

        @Override
        public void late(String name, long position, RecordRow row, long time) {
            rejected.add("late " + position);
        }

        /** The time of a record is that of its position. */
        private final class TimeDecoder implements Decoder {
            private final RecordRow row = new RecordRow(SCHEMA);

            @Override
            public int decode(Chunk chunk, RowHandler rows) {
                for (long position : chunk.positions()) {
                    long time = times[(int) position];
                    if (time == BAD) {
                        rows.rejected(position, chunk.bytes(), 0, 0, "no time");
                    } else {
                        row.clear();
                        row.setLong(0, time);
                        row.setLong(1, position % 3);
                        rows.row(row, position, 0);
                    }
                }
                return chunk.positions().length;
            }

            @Override
            public int recordFrom() {
                return 0;
            }

            @Override
            public int recordLength() {
                return 0;
            }
        }
    }
}
