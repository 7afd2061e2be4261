package io.updraft.timeseries.bolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AggregateBoltTest {

    private static final long MINUTE = 60_000;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration HOSTILE_LIMIT = Duration.ofMinutes(5);

    /** More than a busy machine keeps records waiting: those that come after it are too late. */
    private static final Duration IDLE = Duration.ofSeconds(4);

    @Test
    void shouldEmitTheTotalsOfEachWindowOnceAndAckWhatIsInThem() throws Exception {
        TimedRecordSpout.reset(records(20_000, 10));

        run(
                builder()
                        .eventTime("time", Duration.ofMillis(10))
                        .closeWhenIdle(IDLE)
                        .build(),
                false,
                30);

        assertThat(results()).isEqualTo(model(TimedRecordSpout.records));
        assertThat(TimedRecordSpout.keys()).hasSameSizeAs(TimedRecordSpout.RESULTS);
        assertThat(TimedRecordSpout.TOO_LATE).isEmpty();
    }

    @Test
    void shouldEmitLateRecordsOnAStreamOfTheirOwn() throws Exception {
        List<List<Object>> all = new ArrayList<>(records(5000, 10));
        List<Object> late = Arrays.asList(5L, null, "late", 1L, 2.0);
        List<Object> timeless = Arrays.asList(null, null, "timeless", 1L, 2.0);
        List<List<Object>> good = List.copyOf(all);
        all.add(late);
        all.add(timeless);
        TimedRecordSpout.reset(all);

        run(
                builder()
                        .eventTime("time", Duration.ofMillis(10))
                        .closeWhenIdle(IDLE)
                        .build(),
                false,
                30);

        assertThat(results()).isEqualTo(model(good));
        assertThat(TimedRecordSpout.TOO_LATE)
                .containsExactlyInAnyOrder(
                        Arrays.asList("late", 1L, 2.0, 5L), Arrays.asList("timeless", 1L, 2.0, null));
    }

    @Test
    void shouldCountByTheClockAndAckAtOnceWhenAsked() throws Exception {
        TimedRecordSpout.reset(records(5000, 10));

        run(builder().every(Duration.ofSeconds(2)).ackAtOnce().build(), false, 30);

        long rows = 0;
        for (List<Object> result : TimedRecordSpout.RESULTS) {
            rows += (Long) result.get(3);
            assertThat((Long) result.get(1) - (Long) result.get(0)).isEqualTo(2000);
        }
        assertThat(rows).isEqualTo(5000);
    }

    /**
     * What a task held when it died times out and comes again, after 6 to 12 seconds, and before windows close for want of
     * records; what others hold must not, however long it takes.
     */
    @Test
    @Tag("long")
    void shouldKeepTotalsRightWhenTuplesFailAndTasksDie() throws Exception {
        TimedRecordSpout.reset(records(20_000, 10));

        run(
                builder()
                        .eventTime("time", Duration.ofDays(1))
                        .closeWhenIdle(Duration.ofSeconds(20))
                        .build(),
                true,
                6);

        assertThat(TimedRecordSpout.CRASHES).hasValueGreaterThan(1);
        assertThat(results()).isEqualTo(model(TimedRecordSpout.records));
        assertThat(TimedRecordSpout.keys()).hasSameSizeAs(TimedRecordSpout.RESULTS);
        assertThat(TimedRecordSpout.TOO_LATE).isEmpty();
    }

    @Test
    void shouldEndTheTopologyAndSayOnceWhatToDoWhenThereIsNoRoomForMoreGroups() throws Exception {
        TimedRecordSpout.reset(records(5000, 1));
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("records", new TimedRecordSpout.Source());
        topology.setBolt("aggregate", builder().limit(20, 0, null).build()).globalGrouping("records");
        List<String> errors = new CopyOnWriteArrayList<>();
        CompletableFuture<String> death = new CompletableFuture<>();
        try (UpdraftCluster cluster = new UpdraftCluster.Builder()
                .withErrorListener((name, report) -> errors.add(report.toString()))
                .withDeathListener((name, report) -> death.complete(report.toString()))
                .build()) {
            cluster.submitTopology("aggregate", Map.of(), topology.createTopology());
            assertThat(death.get(240, TimeUnit.SECONDS))
                    .contains(
                            "aggregate: there are 20 groups in 1 open windows; the limit is 20: raise the limit of groups");
        }
        assertThat(errors).hasSize(1);
    }

    @Test
    void shouldReportAGroupWhoseSumDoesNotFitAndEmitTheOthers() throws Exception {
        TimedRecordSpout.reset(List.of(
                Arrays.asList(5L, null, "big", Long.MAX_VALUE, 2.0),
                Arrays.asList(6L, null, "big", 1L, 2.0),
                Arrays.asList(7L, null, "small", 1L, 2.0)));
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("records", new TimedRecordSpout.Source());
        topology.setBolt(
                        "aggregate",
                        builder()
                                .eventTime("time", Duration.ofMillis(10))
                                .closeWhenIdle(Duration.ofSeconds(1))
                                .build())
                .globalGrouping("records");
        topology.setBolt("collect", new TimedRecordSpout.Collect())
                .globalGrouping("aggregate")
                .globalGrouping("aggregate", AggregateBolt.LATE);
        List<String> errors = new CopyOnWriteArrayList<>();
        try (UpdraftCluster cluster = new UpdraftCluster.Builder()
                .withErrorListener((name, report) -> errors.add(report.toString()))
                .build()) {
            cluster.submitTopology("aggregate", Map.of(), topology.createTopology());
            await(LIMIT, () -> TimedRecordSpout.ACKED.size() == 3 && rowsOut() == 1 && !errors.isEmpty());
        }
        assertThat(TimedRecordSpout.RESULTS).containsExactly(Arrays.asList(0L, MINUTE, "small", 1L, 1L, 2.0));
        assertThat(errors)
                .singleElement()
                .asString()
                .contains(
                        "aggregate: no result for 1 group of the window from 1970-01-01T00:00:00Z: [big]: total: the sum"
                                + " of delay is 9223372036854775808, which does not fit into 64 bits");
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatThrownBy(() -> AggregateBolt.builder().groupBy("a").count("n").build())
                .hasMessageContaining("needs windows");
        assertThatThrownBy(() -> AggregateBolt.builder()
                        .groupBy("a")
                        .measure("s", AggregateFunction.SUM, "a")
                        .every(Duration.ofSeconds(1))
                        .build())
                .hasMessage("s: SUM cannot be applied to a, which is of type TEXT");
        assertThatThrownBy(() -> AggregateBolt.builder()
                        .measure("s", AggregateFunction.SUM, "a")
                        .every(Duration.ofSeconds(1))
                        .build())
                .hasMessage("no field is called a");
        assertThatThrownBy(() -> AggregateBolt.builder().measure("p", AggregateFunction.QUANTILE, "a"))
                .hasMessageStartingWith("p: QUANTILE needs a fraction");
    }

    @Test
    void shouldRefuseDurationsThatMakeNoSense() {
        AggregateBoltBuilder bolt = AggregateBolt.builder();
        for (Duration length : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1_500_000))) {
            assertThatThrownBy(() -> bolt.every(length))
                    .hasMessage("the size of windows must be whole milliseconds, at least one, not " + length);
        }
        assertThatThrownBy(() -> bolt.every(Duration.ofSeconds(Long.MAX_VALUE))).hasMessageStartingWith("the size of");
        assertThatThrownBy(() -> sliding(90, 40))
                .hasMessage("the slide of windows must divide their size, but PT1H30M is not a multiple of PT40M");
        assertThatThrownBy(() -> sliding(5, 10))
                .hasMessage("windows that slide by more than their size would leave records out");
        assertThatThrownBy(() -> sliding(5, 0)).hasMessageStartingWith("the slide of windows must be");
        assertThatThrownBy(() -> bolt.eventTime("t", Duration.ofMillis(-1)))
                .hasMessage("the allowed disorder must be at least 0 ms, not PT-0.001S");
        assertThatThrownBy(() -> bolt.early(Duration.ZERO))
                .hasMessage("the interval of early results must be at least 1 ms, not PT0S");
        assertThatThrownBy(() -> bolt.closeWhenIdle(Duration.ZERO))
                .hasMessageStartingWith("the time to close idle windows after must be at least 1 ms");
        assertThatThrownBy(() -> bolt.limit(0, 1, null)).hasMessageStartingWith("the limits must be at least 1 group");
    }

    private static WindowSpec sliding(long size, long slide) {
        return new WindowSpec(Duration.ofMinutes(size), Duration.ofMinutes(slide), Duration.ZERO);
    }

    private static AggregateBoltBuilder builder() {
        return AggregateBolt.builder()
                .groupBy("carrier")
                .field("delay", FieldType.LONG)
                .field("distance", FieldType.DOUBLE)
                .count("rows")
                .measure("total", AggregateFunction.SUM, "delay")
                .measure("farthest", AggregateFunction.MAX, "distance")
                .every(Duration.ofMillis(MINUTE))
                .emitLate();
    }

    private static void run(AggregateBolt bolt, boolean hostile, int timeoutSeconds) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("records", new TimedRecordSpout.Source());
        String from = "records";
        if (hostile) {
            topology.setBolt("flaky", new TimedRecordSpout.Flaky(), 2).shuffleGrouping("records");
            from = "flaky";
        }
        IRichBolt aggregate = hostile ? new TimedRecordSpout.Mortal(bolt) : bolt;
        topology.setBolt("aggregate", aggregate, 2).fieldsGrouping(from, new Fields("carrier"));
        topology.setBolt("collect", new TimedRecordSpout.Collect())
                .globalGrouping("aggregate")
                .globalGrouping("aggregate", AggregateBolt.LATE);
        try (UpdraftCluster cluster = new UpdraftCluster.Builder().build()) {
            cluster.submitTopology(
                    "aggregate",
                    Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, timeoutSeconds),
                    topology.createTopology());
            Duration limit = hostile ? HOSTILE_LIMIT : LIMIT;
            await(limit, () -> TimedRecordSpout.ACKED.size() == TimedRecordSpout.records.size());
            await(limit, () -> hostile || rowsOut() == TimedRecordSpout.records.size());
        }
    }

    private static long rowsOut() {
        return TimedRecordSpout.RESULTS.stream()
                        .mapToLong(result -> (Long) result.get(3))
                        .sum()
                + TimedRecordSpout.TOO_LATE.size();
    }

    private static void await(Duration limit, Await.Condition<RuntimeException> condition) {
        Await.until(
                "all is aggregated",
                limit,
                condition,
                () -> TimedRecordSpout.ACKED.size() + " of " + TimedRecordSpout.records.size() + " were acked, "
                        + rowsOut() + " came out");
    }

    /** Records whose times go up, over so many minutes. */
    private static List<List<Object>> records(int count, int minutes) {
        SplittableRandom random = new SplittableRandom(7);
        List<List<Object>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(Arrays.asList(
                    i * MINUTE * minutes / count,
                    null,
                    random.nextInt(30) == 0 ? null : "carrier-" + random.nextInt(40),
                    random.nextInt(9) == 0 ? null : (Object) random.nextLong(100),
                    random.nextInt(1000) / 10.0));
        }
        return records;
    }

    /** Rows, total and farthest, by window and carrier. */
    private static Map<String, List<Object>> model(List<List<Object>> records) {
        Map<String, List<Object>> model = new TreeMap<>();
        for (List<Object> record : records) {
            long start = (Long) record.get(0) / MINUTE * MINUTE;
            Object delay = record.get(3);
            List<Object> one = Arrays.asList(1L, delay, record.get(4));
            model.merge(start + " " + record.get(2), one, AggregateBoltTest::sum);
        }
        return model;
    }

    private static List<Object> sum(List<Object> one, List<Object> other) {
        Object delay = one.get(1) == null
                ? other.get(1)
                : other.get(1) == null ? one.get(1) : (Object) ((Long) one.get(1) + (Long) other.get(1));
        return Arrays.asList(
                (Long) one.get(0) + (Long) other.get(0), delay, Math.max((Double) one.get(2), (Double) other.get(2)));
    }

    private static Map<String, List<Object>> results() {
        Map<String, List<Object>> results = new TreeMap<>();
        Set<Object> seen = new HashSet<>();
        for (List<Object> result : TimedRecordSpout.RESULTS) {
            String key = result.get(0) + " " + result.get(2);
            assertThat(seen.add(key)).as(key).isTrue();
            results.put(key, result.subList(3, 6));
        }
        return results;
    }
}
