package io.updraft.storm;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.snapshot.ComponentSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.apache.storm.tuple.DetachedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class WindowedBoltTest {
    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    private final MessageSource.Feed feed = MessageSource.begin("numbers");

    @BeforeEach
    void reset() {
        Windows.SEEN.clear();
        Windows.failing.set(0);
        Sink.SUMS.clear();
        Sink.LATE.clear();
    }

    @Test
    void shouldTumbleByCount() throws Exception {
        put(1, 15);
        submit(new Windows().withTumblingWindow(Count.of(5)));

        Await.until("three sums", () -> Sink.SUMS.size() == 3);

        assertThat(Windows.SEEN).containsExactly(range(1, 5), range(6, 10), range(11, 15));
        assertThat(Sink.SUMS).containsExactly(15, 40, 65);
    }

    @Test
    void shouldSlideByCountAndAckWhatLeavesTheWindow() throws Exception {
        put(1, 8);
        submit(new Windows().withWindow(Count.of(4), Count.of(2)));

        Await.until("four sums", () -> Sink.SUMS.size() == 4);
        Await.until("what left the window is acked", () -> feed.acked.size() == 4);

        assertThat(Windows.SEEN).containsExactly(range(1, 2), range(1, 4), range(3, 6), range(5, 8));
        assertThat(feed.acked).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    }

    @Test
    void shouldSayWhatADrainWaitsForInVain() throws Exception {
        put(1, 8);
        submit(new Windows().withTumblingWindow(Count.of(5)));
        TopologyEngine engine = cluster.engine("windows");

        Await.until("one window is seen", () -> Windows.SEEN.size() == 1);
        engine.deactivate();

        Await.until(
                "the window is named",
                () -> CountWindowBacklog.of(engine)
                        .orElse("")
                        .startsWith("waits for tuples that are held in count windows: 'windows' (8);"));
    }

    @Test
    void shouldSayNothingOfWindowsOfTime() throws Exception {
        put(1, 8);
        submit(new Windows().withTumblingWindow(BaseWindowedBolt.Duration.seconds(50)), 100);
        TopologyEngine engine = cluster.engine("windows");

        Await.until("all are in the window", () -> executed(engine, "windows") == 8);

        assertThat(CountWindowBacklog.of(engine)).isEmpty();
    }

    @Test
    void shouldReplayAWindowWhoseExecutionThrew() throws Exception {
        Windows.failing.set(1);
        put(1, 6);
        submit(new Windows().withTumblingWindow(Count.of(3)), 1);

        // The third tuple fails with the window; the two before it are in the window of the instance that is gone.
        Await.until(
                "all were summed up",
                () -> Sink.SUMS.stream().mapToInt(Integer::intValue).sum() >= 21);

        assertThat(Windows.SEEN.stream().flatMap(List::stream)).containsAll(range(1, 6));
        assertThat(feed.failures).hasPositiveValue();
    }

    @Test
    void shouldTumbleByTimeOnTheThreadOfATimer() throws Exception {
        put(1, 500);
        submit(new Windows().withTumblingWindow(BaseWindowedBolt.Duration.of(100)));

        Await.until(
                "all are summed up",
                () -> Sink.SUMS.stream().mapToInt(Integer::intValue).sum() == 125_250);
        Await.until("all are acked", feed::isDone);

        assertThat(Windows.SEEN.stream().flatMap(List::stream)).containsExactlyElementsOf(range(1, 500));
        assertThat(feed.failures).hasValue(0);
    }

    @Test
    void shouldSlideByTime() throws Exception {
        put(1, 200);
        submit(new Windows()
                .withWindow(new BaseWindowedBolt.Duration(300, MILLISECONDS), BaseWindowedBolt.Duration.of(100)));

        Await.until("all are acked", feed::isDone);

        assertThat(Windows.SEEN.stream().flatMap(List::stream).distinct()).containsExactlyElementsOf(range(1, 200));
        assertThat(Windows.SEEN).as("windows share tuples").hasSizeGreaterThan(1);
    }

    @Test
    void shouldPutEventsIntoTheWindowsOfTheirTime() throws Exception {
        for (int time : new int[] {100, 1900, 700, 1200, 2500, 2100, 3999, 8000}) {
            feed.put(time, (long) time);
        }
        submit(eventTime(new Windows())
                .withLag(BaseWindowedBolt.Duration.of(2000))
                .withTumblingWindow(BaseWindowedBolt.Duration.of(1000)));

        Await.until("the fourth second is over", () -> Sink.SUMS.size() == 4);

        assertThat(Windows.SEEN)
                .satisfiesExactly(
                        window -> assertThat(window).containsExactlyInAnyOrder(100, 700),
                        window -> assertThat(window).containsExactlyInAnyOrder(1900, 1200),
                        window -> assertThat(window).containsExactlyInAnyOrder(2500, 2100),
                        window -> assertThat(window).containsExactlyInAnyOrder(3999));
        Await.until("they are acked", () -> feed.acked.size() >= 6);
    }

    @Test
    void shouldSlideOverEventTime() throws Exception {
        for (int time : new int[] {100, 600, 1100, 1600, 2600, 4000}) {
            feed.put(time, (long) time);
        }
        submit(eventTime(new Windows())
                .withWindow(BaseWindowedBolt.Duration.of(1000), BaseWindowedBolt.Duration.of(500)));

        Await.until("the windows until 3500", () -> Windows.SEEN.contains(List.of(2600)) && Sink.SUMS.size() >= 6);

        assertThat(Windows.SEEN)
                .startsWith(
                        List.of(100),
                        List.of(100, 600),
                        List.of(600, 1100),
                        List.of(1100, 1600),
                        List.of(1600),
                        List.of(2600));
    }

    @Test
    void shouldSendLateEventsToTheirStream() throws Exception {
        feed.put(1000, 1000L).put(5000, 5000L);
        submit(eventTime(new Windows())
                .withLag(BaseWindowedBolt.Duration.of(500))
                .withLateTupleStream("late")
                .withTumblingWindow(BaseWindowedBolt.Duration.of(1000)));
        Await.until("the windows until 4500 are over", () -> Sink.SUMS.contains(1000));

        // Storm's generator of watermarks closes windows first and takes note of the watermark then.
        // When the next one has closed a window, events are late by this one.
        feed.put(4600, 4600L).put(6600, 6600L);
        Await.until("the fifth second is over", () -> Sink.SUMS.size() == 2);
        feed.put(4400, 4400L);
        Await.until("the late one has come", () -> Sink.LATE.size() == 1);

        assertThat(Sink.LATE).singleElement().isInstanceOfSatisfying(DetachedTuple.class, late -> {
            assertThat(late.getIntegerByField("number")).isEqualTo(4400);
            assertThat(late.getSourceComponent()).isEqualTo("numbers");
            assertThat(late.getFields().toList()).containsExactly("number", "time");
        });
        assertThat(Windows.SEEN)
                .satisfiesExactly(
                        first -> assertThat(first).containsExactly(1000),
                        second -> assertThat(second).containsExactlyInAnyOrder(5000, 4600));
    }

    private static BaseWindowedBolt eventTime(BaseWindowedBolt bolt) {
        return bolt.withTimestampField("time").withWatermarkInterval(BaseWindowedBolt.Duration.of(20));
    }

    private void submit(BaseWindowedBolt windows) throws Exception {
        submit(windows, 300);
    }

    private void submit(BaseWindowedBolt windows, int timeoutSecs) throws Exception {
        cluster.submitTopology("windows", Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, timeoutSecs), topology(windows));
    }

    private static StormTopology topology(BaseWindowedBolt windows) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new MessageSource("numbers", "number", "time"));
        builder.setBolt("windows", windows).shuffleGrouping("numbers");
        boolean late = windows.getComponentConfiguration().containsKey(Config.TOPOLOGY_BOLTS_LATE_TUPLE_STREAM);
        var sink = builder.setBolt("sink", new Sink()).shuffleGrouping("windows");
        if (late) {
            sink.shuffleGrouping("windows", "late");
        }
        return builder.createTopology();
    }

    private void put(int from, int to) {
        range(from, to).forEach(number -> feed.put(number, (long) number));
    }

    private static long executed(TopologyEngine engine, String component) {
        return engine.snapshot().components().stream()
                .filter(each -> each.id().equals(component))
                .mapToLong(ComponentSnapshot::executed)
                .sum();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }

    /** Emits the sum of each window and shows what was in it. */
    static final class Windows extends BaseWindowedBolt {
        static final Queue<List<Integer>> SEEN = new ConcurrentLinkedQueue<>();
        static final AtomicInteger failing = new AtomicInteger();
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void execute(TupleWindow window) {
            if (failing.getAndDecrement() > 0) {
                throw new IllegalStateException("as the test wants it");
            }
            List<Integer> numbers = new ArrayList<>();
            window.get().forEach(tuple -> numbers.add(tuple.getInteger(0)));
            SEEN.add(numbers);
            collector.emit(
                    new Values(numbers.stream().mapToInt(Integer::intValue).sum()));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("sum"));
        }
    }

    /** Shows sums and late tuples. */
    static final class Sink extends BaseBasicBolt {
        static final Queue<Integer> SUMS = new ConcurrentLinkedQueue<>();
        static final Queue<Object> LATE = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            if (input.getSourceStreamId().equals("late")) {
                LATE.add(input.getValue(0));
            } else {
                SUMS.add(input.getInteger(0));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
