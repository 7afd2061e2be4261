package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watchers see all calls of tasks, although tasks move to other executors while watchers are added and removed. */
class WatchedRebalanceTest {

    private static final int ROUND = 300;
    private static final Map<String, LongAdder> CALLS = new ConcurrentHashMap<>();
    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    private int sent;

    @BeforeEach
    void reset() {
        CALLS.clear();
        EVENTS.clear();
        QueueTopology.reset(QueueTopology::passOn);
    }

    /** Counts calls. */
    public static final class Counting extends BaseTaskHook {
        private String component;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            component = context.getThisComponentId();
        }

        private void count(String what) {
            CALLS.computeIfAbsent(component + " " + what, each -> new LongAdder())
                    .increment();
        }

        @Override
        public void emit(EmitInfo info) {
            // What a task reports to ackers is an emit as well.
            if (info.stream.equals(Utils.DEFAULT_STREAM_ID)) {
                count("emits");
            }
        }

        @Override
        public void spoutAck(SpoutAckInfo info) {
            count("hears acks");
        }

        @Override
        public void boltExecute(BoltExecuteInfo info) {
            count("executes");
        }

        @Override
        public void boltAck(BoltAckInfo info) {
            count("acks");
        }
    }

    /** Keeps what it is given. */
    public static final class Recorder implements IEventLogger {
        @Override
        public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {}

        @Override
        public void log(EventInfo event) {
            EVENTS.add(event.getComponent() + " " + event.getValues().get(0));
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldShowHooksAndTheEventLoggerAllWhileTasksGoToOtherExecutors() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("feed", new QueueTopology.Feed(), 1).setNumTasks(2);
        topology.setBolt("middle", new QueueTopology.Middle(), 1).setNumTasks(4).shuffleGrouping("feed");
        topology.setBolt("end", new QueueTopology.End(), 2).setNumTasks(3).shuffleGrouping("middle");
        cluster.submitTopology(
                "moved",
                Map.of(
                        Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(Counting.class.getName()),
                        Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, 1,
                        Config.TOPOLOGY_EVENT_LOGGER_REGISTER, List.of(Map.of("class", Recorder.class.getName()))),
                topology.createTopology());
        Random random = new Random(3);
        for (int round = 0; round < 12; round++) {
            send();
            cluster.debug("moved", round % 3 == 0 ? "middle" : null, round % 2 == 0, 100);
            rebalance(Map.of(
                    "feed", 1 + random.nextInt(2), "middle", 1 + random.nextInt(4), "end", 1 + random.nextInt(3)));
        }
        awaitAcked();
        cluster.debug("moved", "middle", true, 100);
        cluster.debug("moved", null, false, 0);
        EVENTS.clear();
        int last = sent;
        send();
        awaitAcked();
        Await.until("the events are there", () -> EVENTS.size() >= ROUND);

        assertThat(EVENTS)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(last, sent)
                        .mapToObj(each -> "middle " + each)
                        .toList());
        assertThat(QueueTopology.FAILED).isEmpty();
        assertThat(QueueTopology.ACKED).doesNotHaveDuplicates().hasSize(sent);
        for (String call : List.of(
                "feed emits", "feed hears acks", "middle executes", "middle emits", "middle acks", "end executes")) {
            assertThat(CALLS.get(call).sum()).as(call).isEqualTo(sent);
        }
    }

    private void send() {
        IntStream.range(sent, sent + ROUND).forEach(each -> QueueTopology.MESSAGES.add(new Values(each, "text")));
        sent += ROUND;
    }

    private void awaitAcked() throws Exception {
        Await.until("all are acked", () -> QueueTopology.ACKED.size() == sent);
    }

    private void rebalance(Map<String, Integer> executors) throws Exception {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(executors);
        cluster.rebalance("moved", options);
    }
}
