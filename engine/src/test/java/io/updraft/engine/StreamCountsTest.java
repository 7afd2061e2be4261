package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.OutputSnapshot;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Config;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Counters by stream, compared with counts of the components themselves. */
@SuppressWarnings("serial")
class StreamCountsTest {

    private static final long MESSAGES = 20_000;
    private static final String[] STREAMS = {"odd", "rare", "many"};

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Map<String, AtomicLong> seen = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();

    /** What the spouts may emit by now, about. */
    private final AtomicLong allowed = new AtomicLong(MESSAGES);

    @AutoClose("shutdownNow")
    private final ExecutorService others = Executors.newSingleThreadExecutor();

    private void count(String what) {
        seen.computeIfAbsent(what, key -> new AtomicLong()).incrementAndGet();
    }

    private long counted(String what) {
        AtomicLong count = seen.get(what);
        return count == null ? 0 : count.get();
    }

    private static String streamOf(long number) {
        return number % 50 == 0 ? "rare" : number % 2 == 1 ? "odd" : "many";
    }

    /** Emits numbers on three streams; some by another thread. */
    private final class Numbers extends TestSpout {
        @Override
        public void nextTuple() {
            if (next.get() >= allowed.get()) {
                return;
            }
            long number = next.getAndIncrement();
            if (number >= MESSAGES) {
                return;
            }
            if (number % 97 == 0) {
                others.execute(() -> emit(number));
            } else {
                emit(number);
            }
        }

        private void emit(long number) {
            count("emitted " + streamOf(number));
            out.emit(streamOf(number), new Values(number), streamOf(number));
        }

        @Override
        public void ack(Object stream) {
            count("spout acked " + stream);
        }

        @Override
        public void fail(Object stream) {
            count("spout failed " + stream);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            for (String stream : STREAMS) {
                declarer.declareStream(stream, new Fields("v"));
            }
        }
    }

    /** Holds some, fails some, acks some by another thread, and emits on two streams. */
    private final class Sorter extends TestBolt {
        private final Deque<Tuple> held = new ArrayDeque<>();

        @Override
        public void execute(Tuple input) {
            count("executed " + input.getSourceStreamId());
            long number = input.getLong(0);
            if (number % 3 == 0) {
                out.emit("thirds", input, new Values(number));
                count("emitted thirds");
            }
            if (number % 89 == 0) {
                others.execute(() -> {
                    out.emit("rest", input, new Values(number));
                    count("emitted rest");
                    ack(input);
                });
                return;
            }
            out.emit("rest", input, new Values(number));
            count("emitted rest");
            held.add(input);
            if (held.size() > 3 || number > MESSAGES - 1000) {
                settle(held.poll());
            }
        }

        private void settle(Tuple input) {
            if (input.getLong(0) % 7 == 0) {
                count("failed " + input.getSourceStreamId());
                out.fail(input);
            } else {
                ack(input);
            }
        }

        private void ack(Tuple input) {
            count("acked " + input.getSourceStreamId());
            out.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream("thirds", new Fields("v"));
            declarer.declareStream("rest", new Fields("v"));
        }
    }

    private void build(int executors, int tasks) {
        topology.setSpout("numbers", Local.spout(Numbers::new), executors).setNumTasks(tasks);
        IRichBolt sorter = Local.bolt(Sorter::new);
        topology.setBolt("sorter", sorter, executors)
                .setNumTasks(tasks)
                .shuffleGrouping("numbers", "odd")
                .shuffleGrouping("numbers", "rare")
                .shuffleGrouping("numbers", "many");
        topology.setBolt("thirds", TestBolt.ack(), 2).allGrouping("sorter", "thirds");
        topology.setBolt("rest", TestBolt.ack(), 1).shuffleGrouping("sorter", "rest");
    }

    private void settle(TestEngine run) throws Exception {
        run.await("all numbers are executed", () -> executed() == MESSAGES);
        others.submit(() -> {}).get();
        run.await(
                "all that was executed is counted",
                () -> run.component("sorter").executed() == MESSAGES);
        run.await("all rests are executed", () -> run.component("rest").executed() == counted("emitted rest"));
        // A sorter holds what it held when it got no more.
        long held = MESSAGES - sum("acked ") - sum("failed ");
        run.await("the spouts have heard", () -> run.component("numbers").inFlight() == held);
    }

    private long executed() {
        return sum("executed ");
    }

    private long sum(String prefix) {
        long sum = 0;
        for (String stream : STREAMS) {
            sum += counted(prefix + stream);
        }
        return sum;
    }

    private void check(TestEngine run) {
        for (String stream : STREAMS) {
            OutputSnapshot output = output(run, "numbers", stream);
            assertThat(output.emitted()).as(stream).isEqualTo(counted("emitted " + stream));
            assertThat(output.transferred()).as(stream).isEqualTo(counted("emitted " + stream));
            assertThat(output.acked()).as(stream).isEqualTo(counted("spout acked " + stream));
            assertThat(output.failed()).as(stream).isEqualTo(counted("spout failed " + stream));
            InputSnapshot input = input(run, "sorter", stream);
            assertThat(input.executed()).as(stream).isEqualTo(counted("executed " + stream));
            assertThat(input.acked()).as(stream).isEqualTo(counted("acked " + stream));
            assertThat(input.failed()).as(stream).isEqualTo(counted("failed " + stream));
        }
        OutputSnapshot thirds = output(run, "sorter", "thirds");
        assertThat(thirds.emitted()).isEqualTo(counted("emitted thirds"));
        assertThat(thirds.transferred()).isEqualTo(2 * counted("emitted thirds"));
        assertThat(output(run, "sorter", "rest").emitted()).isEqualTo(counted("emitted rest"));
        assertThat(input(run, "rest", "rest").acked()).isEqualTo(counted("emitted rest"));
        assertThat(input(run, "sorter", "many").process().count()).isPositive();
        assertThat(output(run, "numbers", "many").complete().meanMillis()).isPositive();
    }

    @Test
    void shouldCountEachStreamOfOneTaskForEachExecutor() throws Exception {
        build(2, 2);
        TestEngine run = topology.run();
        settle(run);
        check(run);
    }

    @Test
    void shouldCountEachStreamOfSeveralTasksWhileTheyMove() throws Exception {
        build(2, 4);
        allowed.set(0);
        TestEngine run = topology.run(Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 200));
        for (int executors : List.of(4, 1, 3)) {
            long before = executed();
            allowed.addAndGet(5000);
            run.await("work is done", () -> executed() > before + 500);
            assertThat(run.engine.rebalance(Map.of("sorter", executors), Duration.ofSeconds(50)))
                    .isTrue();
        }
        allowed.set(MESSAGES);
        settle(run);
        check(run);
    }

    @Test
    void shouldTimeTuplesOfEachInputUntilTheyAreAcked() {
        TestClock clock = new TestClock();
        List<Tuple> waiting = new ArrayList<>();
        IRichBolt bolt = TestBolt.of((tuple, out) -> {
            clock.advance(Duration.ofSeconds(30));
            if (tuple.getSourceStreamId().equals("odd")) {
                out.ack(tuple);
                clock.advance(Duration.ofSeconds(20));
            } else {
                waiting.add(tuple);
                clock.advance(Duration.ofSeconds(70));
                waiting.forEach(out::ack);
                waiting.clear();
            }
        });
        topology.setSpout("numbers", Local.spout(Numbers::new)).setMaxSpoutPending(1);
        topology.setBolt("bolt", bolt)
                .shuffleGrouping("numbers", "odd")
                .shuffleGrouping("numbers", "many")
                .shuffleGrouping("numbers", "rare");
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
        TestEngine run = topology.run(conf, clock);
        run.await("some of each were timed", () -> timed(run, "odd") > 3 && timed(run, "many") > 3);
        assertThat(input(run, "bolt", "odd").process().meanMillis()).isEqualTo(30_000, within(10_000.0));
        assertThat(input(run, "bolt", "odd").execute().meanMillis()).isEqualTo(50_000, within(10_000.0));
        assertThat(input(run, "bolt", "many").process().meanMillis()).isEqualTo(100_000, within(10_000.0));
        assertThat(input(run, "bolt", "many").execute().meanMillis()).isEqualTo(100_000, within(10_000.0));
    }

    private static long timed(TestEngine run, String stream) {
        return input(run, "bolt", stream).execute().count();
    }

    private static OutputSnapshot output(TestEngine run, String component, String stream) {
        return run.component(component).streams().outputs().stream()
                .filter(output -> output.stream().equals(stream))
                .findFirst()
                .orElseThrow();
    }

    private static InputSnapshot input(TestEngine run, String component, String stream) {
        return run.component(component).streams().inputs().stream()
                .filter(input -> input.stream().equals(stream))
                .findFirst()
                .orElseThrow();
    }
}
