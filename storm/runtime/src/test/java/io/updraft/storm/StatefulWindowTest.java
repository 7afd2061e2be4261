package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IStatefulWindowedBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings("serial")
class StatefulWindowTest {
    @RegisterExtension
    static final RedisState REDIS = new RedisState();

    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    private final MessageSource.Feed feed = MessageSource.begin("numbers");

    @BeforeEach
    void reset() {
        Total.SEEN.clear();
        Total.TOTALS.clear();
        Total.COMMITTED.set(0);
        Total.throwOn = Integer.MAX_VALUE;
    }

    @Test
    void shouldKeepATotalOverWindows() throws Exception {
        put(1, 12);
        submit("total", new Total().withTumblingWindow(Count.of(4)).withMessageIdField("id"), Map.of());

        Await.until("three windows", () -> Total.TOTALS.size() == 3);

        assertThat(Total.SEEN).containsExactly(range(1, 4), range(5, 8), range(9, 12));
        assertThat(Total.TOTALS).containsExactly(10L, 36L, 78L);
        Await.until("what left the windows is acked", () -> feed.acked.containsAll(List.of(0L, 1L, 7L)));
    }

    @Test
    void shouldGoOnFromItsStateWhenItIsRebuilt() throws Exception {
        put(1, 12);
        submit("again", new Total().withTumblingWindow(Count.of(5)).withMessageIdField("id"), REDIS.conf());
        Await.until("the first window is committed", () -> feed.acked.size() >= 5);

        Total.throwOn = 20;
        put(13, 30);
        Await.until("all that can be evaluated is", () -> Total.SEEN.contains(range(26, 30)));

        // The windows before the failure give 15, 55 and 120; the one that fails is 16 to 20, the next one 21 to 25,
        // upon what
        // was committed. The rest comes again when it times out.
        assertThat(Total.SEEN).startsWith(range(1, 5), range(6, 10), range(11, 15), range(21, 25));
        assertThat(new ArrayList<>(Total.TOTALS).get(3)).isIn(55L + 115, 120L + 115);
        assertThat(Total.throwOn).as("the failure was injected").isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldKeepAWindowThatIsLargerThanMemoryInItsState() throws Exception {
        put(1, 25_000);
        submit(
                "large",
                new Total().withPersistence().withMaxEventsInMemory(1000).withTumblingWindow(Count.of(12_000)),
                REDIS.conf());

        Await.until("two windows", () -> Total.TOTALS.size() == 2);
        Await.until("all are acked", feed::isDone);

        assertThat(Total.SEEN).containsExactly(range(1, 12_000), range(12_001, 24_000));
        assertThat(Total.TOTALS).containsExactly(72_006_000L, 288_012_000L);
    }

    @Test
    void shouldGoOnWithTheWindowOfTheTopologyBefore() throws Exception {
        put(1, 7);
        submit("kept", new Total().withPersistence().withTumblingWindow(Count.of(5)), REDIS.conf());
        Await.until("all are acked", feed::isDone);
        cluster.killTopology("kept");

        put(8, 10);
        submit("kept", new Total().withPersistence().withTumblingWindow(Count.of(5)), REDIS.conf());
        Await.until("all are acked", feed::isDone);

        assertThat(Total.SEEN).containsExactly(range(1, 5), range(6, 10));
        assertThat(Total.TOTALS).containsExactly(15L, 55L);
    }

    private void submit(String name, IStatefulWindowedBolt<?> bolt, Map<String, Object> more) throws Exception {
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        cluster.submitTopology(name, conf, topology(name, bolt));
    }

    private static StormTopology topology(String name, IStatefulWindowedBolt<?> bolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new MessageSource("numbers", "number", "id"));
        builder.setBolt(name, bolt).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    private void put(int from, int to) {
        range(from, to).forEach(number -> feed.put(number, (long) number));
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }

    /** Adds up the new numbers of its windows in its state. */
    static final class Total extends BaseStatefulWindowedBolt<KeyValueState<String, Long>> {
        static final Queue<List<Integer>> SEEN = new ConcurrentLinkedQueue<>();
        static final Queue<Long> TOTALS = new ConcurrentLinkedQueue<>();
        static final AtomicInteger COMMITTED = new AtomicInteger();
        static volatile int throwOn;

        private transient KeyValueState<String, Long> state;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {}

        @Override
        public void initState(KeyValueState<String, Long> of) {
            state = of;
        }

        @Override
        public void execute(TupleWindow window) {
            List<Integer> numbers = new ArrayList<>();
            for (Tuple tuple : window.get()) {
                numbers.add(tuple.getInteger(0));
            }
            if (numbers.contains(throwOn)) {
                throwOn = Integer.MAX_VALUE;
                throw new IllegalStateException("as the test wants it");
            }
            long total = state.get("total", 0L)
                    + numbers.stream().mapToLong(Integer::longValue).sum();
            state.put("total", total);
            SEEN.add(numbers);
            TOTALS.add(total);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
