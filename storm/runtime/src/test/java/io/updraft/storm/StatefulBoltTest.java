package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings("serial")
class StatefulBoltTest {
    private static final List<String> WORDS = List.of("a", "b", "c", "d", "e");
    private static final int EACH = 40;

    @RegisterExtension
    static final RedisState REDIS = new RedisState();

    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    private final MessageSource.Feed feed = MessageSource.begin("words");

    @BeforeEach
    void begin() {
        Count.reset();
        for (int i = 0; i < EACH; i++) {
            WORDS.forEach(feed::put);
        }
    }

    @Test
    void shouldAckWhatACheckpointHasCommitted() throws Exception {
        cluster.submitTopology("count", conf(Map.of()), topology("count"));

        Await.until("all are acked", feed::isDone);

        assertThat(counts()).isEqualTo(expected());
        assertThat(Count.COMMITTED).as("transactions committed").hasPositiveValue();
        assertThat(feed.failures).hasValue(0);
    }

    /** Stateful bolts ack with the next checkpoint: a second after the last one, long before what is in flight times out. */
    @Test
    void shouldCommitWhatIsInFlightWhenTheTopologyIsDeactivated() throws Exception {
        cluster.submitTopology("paused", Map.of(), topology("paused"));
        Await.until("all are counted", () -> counts().equals(expected()));

        cluster.deactivate("paused");

        assertThat(cluster.engine("paused").awaitIdle(Duration.ofSeconds(50))).isTrue();
        assertThat(feed.isDone()).isTrue();
        assertThat(feed.failures).hasValue(0);
    }

    @Test
    void shouldRollBackAllAndCountEveryMessageWhenABoltIsRebuilt() throws Exception {
        Count.failEvery = 61;
        Map<String, Object> conf = conf(REDIS.conf());
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 1);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
        cluster.submitTopology("rebuilt", conf, topology("rebuilt"));

        Await.until("all are acked", feed::isDone);

        // What the dead instance held comes again when it times out: at least once, and not once more than it was
        // replayed.
        assertThat(Count.THROWN).as("failures injected").hasValueGreaterThan(1);
        assertThat(counts()).hasSameSizeAs(WORDS);
        assertThat(counts()).allSatisfy((word, count) -> assertThat(count).isGreaterThanOrEqualTo(EACH));
        assertThat(counts().values().stream().mapToLong(Long::longValue).sum())
                .isLessThanOrEqualTo(WORDS.size() * (long) EACH + feed.failures.get());
    }

    @Test
    void shouldGoOnFromTheStateOfTheTopologyBefore() throws Exception {
        cluster.submitTopology("kept", conf(REDIS.conf()), topology("kept"));
        Await.until("all are acked", feed::isDone);
        cluster.killTopology("kept");
        Count.reset();
        WORDS.forEach(feed::put);

        cluster.submitTopology("kept", conf(REDIS.conf()), topology("kept"));
        Await.until("all are acked", feed::isDone);

        assertThat(counts()).allSatisfy((word, count) -> assertThat(count).isEqualTo(EACH + 1L));
    }

    private static Map<String, Object> conf(Map<String, Object> more) {
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        return conf;
    }

    private static StormTopology topology(String bolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new MessageSource("words", "word"));
        builder.setBolt(bolt, new Count(), 2).fieldsGrouping("words", new Fields("word"));
        return builder.createTopology();
    }

    private static Map<String, Long> expected() {
        Map<String, Long> all = new TreeMap<>();
        WORDS.forEach(word -> all.put(word, (long) EACH));
        return all;
    }

    private static Map<String, Long> counts() {
        return new TreeMap<>(Count.COUNTS);
    }

    /** Counts words in its state, and shows what was counted last. */
    static final class Count extends BaseStatefulBolt<KeyValueState<String, Long>> {
        static final Map<String, Long> COUNTS = new ConcurrentHashMap<>();
        static final AtomicInteger COMMITTED = new AtomicInteger();
        static final AtomicInteger EXECUTED = new AtomicInteger();
        static final AtomicInteger THROWN = new AtomicInteger();
        static volatile int failEvery;

        private transient KeyValueState<String, Long> state;
        private transient OutputCollector collector;

        static void reset() {
            COUNTS.clear();
            COMMITTED.set(0);
            EXECUTED.set(0);
            THROWN.set(0);
            failEvery = Integer.MAX_VALUE;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void initState(KeyValueState<String, Long> of) {
            state = of;
        }

        @Override
        public void execute(Tuple input) {
            String word = input.getString(0);
            long count = state.get(word, 0L) + 1;
            state.put(word, count);
            COUNTS.put(word, count);
            if (EXECUTED.incrementAndGet() % failEvery == 0) {
                THROWN.incrementAndGet();
                throw new IllegalStateException("as the test wants it");
            }
            collector.ack(input);
        }

        @Override
        public void preCommit(long txid) {
            COMMITTED.incrementAndGet();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
