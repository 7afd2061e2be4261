package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.Config;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TickTest {

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final TestClock clock = new TestClock();
    private final Map<Integer, Queue<Tuple>> ticks = new ConcurrentHashMap<>();

    private IRichBolt ticking() {
        return Local.bolt(() -> new TestBolt("v") {
            @Override
            public void execute(Tuple tuple) {
                if (TupleUtils.isTick(tuple)) {
                    ticks.computeIfAbsent(context.getThisTaskId(), k -> new ConcurrentLinkedQueue<>())
                            .add(tuple);
                }
                out.ack(tuple);
            }
        });
    }

    private int ticksOf(int task) {
        Queue<Tuple> of = ticks.get(task);
        return of == null ? 0 : of.size();
    }

    @Test
    void shouldTickEachComponentAtItsOwnFrequencyAndEachTaskOnce() {
        Feed feed = Feed.of(0);
        // Tasks: a 1, b 2 and 3 of one executor, c 4.
        topology.setSpout("spout", feed.spout()).addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 100);
        topology.setBolt("a", ticking()).shuffleGrouping("spout");
        topology.setBolt("b", ticking())
                .setNumTasks(2)
                .shuffleGrouping("spout")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 3_000);
        topology.setBolt("c", ticking())
                .shuffleGrouping("spout")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1_000);
        TestEngine engine = topology.run(Map.of("updraft.loops", 2), clock);
        for (int i = 1; i <= 6; i++) {
            int expected = i;
            clock.advance(Duration.ofSeconds(1_000));
            engine.await("tick " + i, () -> ticksOf(4) == expected);
        }
        engine.await("two of the slow", () -> ticksOf(2) == 2 && ticksOf(3) == 2);
        assertThat(ticksOf(1)).isZero();
        Tuple tick = ticks.get(4).peek();
        assertThat(tick.getSourceComponent()).isEqualTo("__system");
        assertThat(tick.getSourceStreamId()).isEqualTo("__tick");
        assertThat(tick.getSourceTask()).isEqualTo(-1);
        assertThat(tick.getValues()).containsExactly(1_000);
        assertThat(tick.getFields().toList()).containsExactly("rate_secs");
    }

    @Test
    void shouldTickEverybodyWhenTheTopologySaysSo() {
        topology.setSpout("spout", Feed.of(0).spout());
        topology.setBolt("a", ticking()).shuffleGrouping("spout");
        topology.setBolt("b", ticking()).shuffleGrouping("a").addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 0);
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1_000), clock);
        clock.advance(Duration.ofSeconds(1_001));
        engine.await("a tick", () -> ticksOf(1) == 1);
        assertThat(ticksOf(2)).isZero();
    }

    @Test
    void shouldNotMakeUpForTicksThatWereMissed() {
        topology.setSpout("spout", Feed.of(0).spout());
        topology.setBolt("a", ticking()).shuffleGrouping("spout");
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1_000), clock);
        clock.advance(Duration.ofSeconds(10_500));
        engine.await("a tick", () -> ticksOf(1) == 1);
        clock.advance(Duration.ofSeconds(1_000));
        engine.await("the next", () -> ticksOf(1) >= 2);
        assertThat(ticksOf(1)).isEqualTo(2);
    }

    @Test
    void shouldNotTickBeforeTheFirstActivation() {
        topology.setSpout("spout", Feed.of(0).spout());
        topology.setBolt("a", ticking()).shuffleGrouping("spout");
        TestEngine engine = topology.start(Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1_000));
        assertThat(engine.component("a").executed()).isZero();
        assertThat(ticks).isEmpty();
    }
}
