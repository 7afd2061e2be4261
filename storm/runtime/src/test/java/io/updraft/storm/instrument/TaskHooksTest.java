package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.UpdraftCluster;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.hooks.info.SpoutFailInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaskHooksTest {
    private static final Queue<String> CALLS = new ConcurrentLinkedQueue<>();
    private static final Map<String, Object> ALL_SAMPLED = Map.of(Config.TOPOLOGY_STATS_SAMPLE_RATE, 1.0);

    private final Queue<ErrorReport> errors = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster.Builder()
            .withErrorListener((topology, error) -> errors.add(error))
            .build();

    @BeforeEach
    void reset() {
        CALLS.clear();
        QueueTopology.reset((tuple, out) -> {
            if (tuple.getInteger(0) % 2 == 0) {
                QueueTopology.passOn(tuple, out);
            } else {
                out.fail(tuple);
            }
        });
    }

    /** Writes down every call. */
    public static final class Recorder extends BaseTaskHook {
        private String component;
        private int task;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            component = context.getThisComponentId();
            task = context.getThisTaskId();
            CALLS.add(component + " prepared for " + conf.get(Config.TOPOLOGY_NAME));
        }

        @Override
        public void cleanup() {
            CALLS.add(component + " cleaned up");
        }

        @Override
        public void emit(EmitInfo info) {
            assertThat(info.taskId).isEqualTo(task);
            // What goes to an acker has the random number of a tuple tree in front.
            Object what = Utils.isSystemId(info.stream) ? info.values.size() + " values" : info.values.get(0);
            CALLS.add(component + " emits " + what + " on " + info.stream + " to " + info.outTasks);
        }

        @Override
        public void spoutAck(SpoutAckInfo info) {
            CALLS.add(component + " hears ack of " + info.messageId + timed(info.completeLatencyMs));
        }

        @Override
        public void spoutFail(SpoutFailInfo info) {
            CALLS.add(component + " hears fail of " + info.messageId + timed(info.failLatencyMs));
        }

        @Override
        public void boltExecute(BoltExecuteInfo info) {
            CALLS.add(component + " executes " + info.tuple.getValue(0) + timed(info.executeLatencyMs));
        }

        @Override
        public void boltAck(BoltAckInfo info) {
            CALLS.add(component + " acks " + info.tuple.getValue(0) + timed(info.processLatencyMs));
        }

        @Override
        public void boltFail(BoltFailInfo info) {
            CALLS.add(component + " fails " + info.tuple.getValue(0) + timed(info.failLatencyMs));
        }

        private static String timed(Long latencyMs) {
            return latencyMs == null || latencyMs < 0 ? "" : latencyMs < 20_000 ? " timed" : " late " + latencyMs;
        }
    }

    /** Fails in every call. */
    public static final class Failing extends BaseTaskHook {
        @Override
        public void boltAck(BoltAckInfo info) {
            throw new IllegalStateException("the hook is broken");
        }

        @Override
        public void boltFail(BoltFailInfo info) {
            throw new IllegalStateException("the hook is broken");
        }
    }

    private static void feed(int count) {
        for (int i = 0; i < count; i++) {
            QueueTopology.MESSAGES.add(new Values(i, "text"));
        }
    }

    private static void awaitEnded(int count) throws Exception {
        Await.until("all messages have ended", () -> QueueTopology.ACKED.size() + QueueTopology.FAILED.size() == count);
    }

    @Test
    void shouldCallAHookThatEveryTaskIsGiven() throws Exception {
        feed(2);
        QueueTopology.submit(
                cluster,
                "auto",
                Map.of(
                        Config.TOPOLOGY_AUTO_TASK_HOOKS,
                        List.of(Recorder.class.getName()),
                        Config.TOPOLOGY_STATS_SAMPLE_RATE,
                        1.0));
        awaitEnded(2);
        cluster.close();

        // Tasks by component: end 1, feed 2, middle 3.
        assertThat(CALLS)
                .containsExactlyInAnyOrder(
                        "feed prepared for auto",
                        "middle prepared for auto",
                        "end prepared for auto",
                        "feed emits 0 on default to [3]",
                        "feed emits 1 on default to [3]",
                        "middle emits 0 on default to [1]",
                        "middle emits 2 values on __ack_ack to []",
                        "middle acks 0 timed",
                        "middle executes 0 timed",
                        "middle emits 1 values on __ack_fail to []",
                        "middle fails 1 timed",
                        "middle executes 1 timed",
                        "end emits 2 values on __ack_ack to []",
                        "end acks 0 timed",
                        "end executes 0 timed",
                        "feed hears ack of 0 timed",
                        "feed hears fail of 1 timed",
                        "feed cleaned up",
                        "middle cleaned up",
                        "end cleaned up");
        assertThat(QueueTopology.ACKED).containsExactly(0);
        assertThat(QueueTopology.FAILED).containsExactly(1);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldCallAHookThatIsAddedInPrepareAndOpen() throws Exception {
        QueueTopology.onPrepare((context, out) -> context.addTaskHook(new Recorder()));
        QueueTopology.onOpen((context, out) -> context.addTaskHook(new Recorder()));
        feed(100);
        QueueTopology.submit(cluster, "own", ALL_SAMPLED);
        awaitEnded(100);
        cluster.close();

        assertThat(CALLS).filteredOn(call -> call.startsWith("feed emits")).hasSize(100);
        assertThat(CALLS)
                .filteredOn(call -> call.startsWith("feed hears ack") && call.endsWith("timed"))
                .hasSize(50);
        assertThat(CALLS)
                .filteredOn(call -> call.startsWith("feed hears fail") && call.endsWith("timed"))
                .hasSize(50);
        assertThat(CALLS).filteredOn(call -> call.startsWith("middle executes")).hasSize(100);
        assertThat(CALLS).filteredOn(call -> call.startsWith("middle acks")).hasSize(50);
        assertThat(CALLS).filteredOn(call -> call.startsWith("middle fails")).hasSize(50);
        assertThat(CALLS).noneMatch(call -> call.startsWith("end"));
        assertThat(CALLS).contains("middle cleaned up", "feed cleaned up");
    }

    @Test
    void shouldCallAHookThatIsAddedWhileTheTaskRuns() throws Exception {
        TopologyContext[] contexts = new TopologyContext[2];
        QueueTopology.onPrepare((context, out) -> contexts[0] = context);
        QueueTopology.onOpen((context, out) -> contexts[1] = context);
        feed(1);
        QueueTopology.submit(cluster, "late", ALL_SAMPLED);
        awaitEnded(1);

        contexts[0].addTaskHook(new Recorder());
        contexts[1].addTaskHook(new Recorder());
        Await.until("the hooks are called", () -> {
            feed(2);
            return CALLS.stream().anyMatch(call -> call.startsWith("middle acks"))
                    && CALLS.stream().anyMatch(call -> call.startsWith("feed hears ack"));
        });
    }

    @Test
    void shouldTimeOneTupleInSoManyAsTheSampleRateSays() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        feed(100);
        QueueTopology.submit(
                cluster,
                "sampled",
                Map.of(
                        Config.TOPOLOGY_AUTO_TASK_HOOKS,
                        List.of(Recorder.class.getName()),
                        Config.TOPOLOGY_STATS_SAMPLE_RATE,
                        0.1));
        awaitEnded(100);
        cluster.close();

        for (String what : List.of("middle executes", "middle acks", "feed hears ack")) {
            assertThat(CALLS).filteredOn(call -> call.startsWith(what)).hasSize(100);
            assertThat(CALLS)
                    .filteredOn(call -> call.startsWith(what) && call.endsWith("timed"))
                    .hasSize(10);
        }
    }

    @Test
    void shouldShowTheHookOfARebuiltInstanceAll() throws Exception {
        QueueTopology.reset((Tuple tuple, org.apache.storm.task.OutputCollector out) -> {
            if (tuple.getInteger(0) == 5) {
                throw new IllegalStateException("five");
            }
            QueueTopology.passOn(tuple, out);
        });
        QueueTopology.onPrepare((context, out) -> context.addTaskHook(new Recorder()));
        feed(10);
        QueueTopology.submit(cluster, "rebuilt", ALL_SAMPLED);
        awaitEnded(10);
        cluster.close();

        assertThat(CALLS).filteredOn("middle prepared for rebuilt"::equals).hasSize(2);
        assertThat(CALLS).filteredOn("middle cleaned up"::equals).hasSize(2);
        assertThat(CALLS).filteredOn(call -> call.startsWith("middle acks")).hasSize(9);
        assertThat(CALLS).contains("middle fails 5 timed").doesNotContain("middle executes 5 timed");
        assertThat(QueueTopology.FAILED).containsExactly(5);
    }

    @Test
    void shouldReportAFailingHookOnceAndGoOn() throws Exception {
        QueueTopology.onPrepare((context, out) -> context.addTaskHook(new Failing()));
        feed(100);
        QueueTopology.submit(cluster, "broken", ALL_SAMPLED);
        awaitEnded(100);

        assertThat(QueueTopology.ACKED).hasSize(50);
        assertThat(errors).hasSize(2);
        assertThat(errors).allSatisfy(error -> assertThat(error.componentId()).isEqualTo("middle"));
        assertThat(errors)
                .extracting(error -> error.error().getMessage())
                .anySatisfy(message -> assertThat(message)
                        .contains(Failing.class.getName() + ".boltAck", "'middle'", "the hook is broken"));
    }

    @Test
    void shouldRefuseATopologyWhoseHookIsNotThereOrIsNone() {
        for (String name : List.of("com.acme.NoSuchHook", "java.lang.String")) {
            assertThatThrownBy(() -> QueueTopology.submit(
                            cluster, "wrong", Map.of(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(name))))
                    .isInstanceOf(InvalidTopologyException.class)
                    .extracting(e -> ((InvalidTopologyException) e).get_msg())
                    .asString()
                    .contains("topology.auto.task.hooks", name);
        }
        assertThat(cluster.topologyNames()).isEmpty();
    }
}
