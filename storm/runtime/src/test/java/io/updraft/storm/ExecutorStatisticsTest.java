package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the counts of executors that clients receive with the counts of the tasks themselves. */
@SuppressWarnings("serial")
class ExecutorStatisticsTest {
    private static final String NAME = "shares";
    private static final int KEYS = 10;
    private static final String ALL = ":all-time";
    private static final GlobalStreamId INPUT = new GlobalStreamId("uneven", "default");

    /** By what was done and the task that did it. */
    private static final Map<String, AtomicLong> DONE = new ConcurrentHashMap<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    private final Nimbus.Iface nimbus = LocalNimbus.of(cluster);

    @BeforeEach
    void run() throws Exception {
        DONE.clear();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("uneven", new Uneven(), 2);
        topology.setBolt("picky", new Picky(), 2).setNumTasks(4).fieldsGrouping("uneven", new Fields("key"));
        cluster.submitTopology(NAME, Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 100), topology.createTopology());
        workAndStop();
    }

    private void workAndStop() throws Exception {
        long before = doneBy("acked", 1, 10);
        nimbus.activate(NAME);
        Await.until("both spouts hear of acks", () -> doneBy("acked", 1, 10) > before + 1000);
        nimbus.deactivate(NAME);
        assertThat(cluster.engine(NAME).awaitIdle(Duration.ofSeconds(50))).isTrue();
    }

    @Test
    void shouldTellWhatEachExecutorHasDone() throws Exception {
        for (ExecutorSummary executor : executors("uneven")) {
            SpoutStats stats = executor.get_stats().get_specific().get_spout();
            assertThat(executor.get_stats().get_emitted().get(ALL))
                    .isEqualTo(Map.of("default", done("emitted", executor)));
            assertThat(executor.get_stats().get_transferred().get("600"))
                    .isEqualTo(Map.of("default", done("emitted", executor)));
            assertThat(stats.get_acked().get(ALL)).isEqualTo(Map.of("default", done("acked", executor)));
            assertThat(stats.get_failed().get(ALL)).isEqualTo(Map.of("default", done("failed", executor)));
            assertThat(stats.get_complete_ms_avg().get(ALL).get("default")).isPositive();
        }
        assertBoltsAreTold(2);
        assertThat(executors("picky")).allSatisfy(executor -> {
            BoltStats stats = executor.get_stats().get_specific().get_bolt();
            assertThat(stats.get_execute_ms_avg().get(ALL).get(INPUT)).isPositive();
            assertThat(stats.get_process_ms_avg().get(ALL).get(INPUT)).isPositive();
        });
    }

    @Test
    void shouldTellTheSameOnThePageOfAComponent() throws Exception {
        ComponentPageInfo page = nimbus.getComponentPageInfo(id(), "picky", ALL, false);

        double busiest = 0;
        for (ExecutorAggregateStats executor : page.get_exec_stats()) {
            ExecutorInfo tasks = executor.get_exec_summary().get_executor_info();
            assertThat(executor.get_stats().get_common_stats().get_acked()).isEqualTo(done("picked", tasks));
            assertThat(executor.get_stats().get_common_stats().get_failed()).isEqualTo(done("refused", tasks));
            assertThat(executor.get_stats().get_specific_stats().get_bolt().get_executed())
                    .isEqualTo(done("picked", tasks) + done("refused", tasks));
            busiest = Math.max(
                    busiest,
                    executor.get_stats().get_specific_stats().get_bolt().get_capacity());
        }
        assertThat(page.get_exec_stats()).hasSize(2);
        assertThat(page.get_window_to_stats()
                        .get("600")
                        .get_specific_stats()
                        .get_bolt()
                        .get_capacity())
                .isEqualTo(busiest)
                .isBetween(0.0, 1.0)
                .isNotZero();
    }

    @Test
    void shouldCountWhatWasDoneBeforeARebalanceToWhoHasTheFirstTaskNow() throws Exception {
        rebalance(1);
        assertBoltsAreTold(1);

        workAndStop();
        assertBoltsAreTold(1);

        rebalance(4);
        workAndStop();
        long executed = executors("picky").stream()
                .mapToLong(executor -> bolt(executor).get_executed().get(ALL).get(INPUT))
                .sum();
        assertThat(executed).isEqualTo(doneBy("picked", 1, 10) + doneBy("refused", 1, 10));
        assertThat(executors("picky")).hasSize(4);
    }

    private void assertBoltsAreTold(int count) throws Exception {
        List<ExecutorSummary> executors = executors("picky");
        assertThat(executors).hasSize(count).allSatisfy(executor -> {
            assertThat(bolt(executor).get_executed().get(ALL))
                    .isEqualTo(Map.of(INPUT, done("picked", executor) + done("refused", executor)));
            assertThat(bolt(executor).get_acked().get("86400")).isEqualTo(Map.of(INPUT, done("picked", executor)));
            assertThat(bolt(executor).get_failed().get(ALL)).isEqualTo(Map.of(INPUT, done("refused", executor)));
        });
    }

    private void rebalance(int executors) throws Exception {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(Map.of("picky", executors));
        nimbus.rebalance(NAME, options);
    }

    private static BoltStats bolt(ExecutorSummary executor) {
        return executor.get_stats().get_specific().get_bolt();
    }

    private List<ExecutorSummary> executors(String component) throws Exception {
        return nimbus.getTopologyInfo(id()).get_executors().stream()
                .filter(executor -> executor.get_component_id().equals(component))
                .toList();
    }

    private String id() throws Exception {
        return nimbus.getTopologySummaryByName(NAME).get_id();
    }

    private static long done(String what, ExecutorSummary executor) {
        return done(what, executor.get_executor_info());
    }

    private static long done(String what, ExecutorInfo tasks) {
        return doneBy(what, tasks.get_task_start(), tasks.get_task_end());
    }

    private static long doneBy(String what, int firstTask, int lastTask) {
        return IntStream.rangeClosed(firstTask, lastTask)
                .mapToObj(task -> DONE.get(what + task))
                .mapToLong(count -> count == null ? 0 : count.get())
                .sum();
    }

    private static void count(String what, int task) {
        DONE.computeIfAbsent(what + task, key -> new AtomicLong()).incrementAndGet();
    }

    /** Of two tasks one emits three times as much as the other. */
    private static final class Uneven extends TestSpout {
        private int task;
        private int burst;
        private int next;

        private Uneven() {
            super("key");
        }

        @Override
        protected void opened() {
            task = context.getThisTaskId();
            burst = 1 + 2 * context.getThisTaskIndex();
        }

        @Override
        public void nextTuple() {
            for (int i = 0; i < burst; i++) {
                count("emitted", task);
                out.emit(new Values(next++ % KEYS), next);
            }
        }

        @Override
        public void ack(Object messageId) {
            count("acked", task);
        }

        @Override
        public void fail(Object messageId) {
            count("failed", task);
        }
    }

    /** Fails one key of ten. */
    private static final class Picky extends TestBolt {
        private int task;

        @Override
        protected void prepared() {
            task = context.getThisTaskId();
        }

        @Override
        public void execute(Tuple input) {
            if (input.getInteger(0) == 0) {
                count("refused", task);
                out.fail(input);
            } else {
                count("picked", task);
                out.ack(input);
            }
        }
    }
}
