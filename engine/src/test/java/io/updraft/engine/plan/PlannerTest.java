package io.updraft.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private final TopologyBuilder topology = new TopologyBuilder();
    private final Map<String, Object> conf = new HashMap<>(Map.of(EngineSettings.LOOPS, 2));

    private Plan plan() {
        return plan(topology.createTopology());
    }

    private Plan plan(StormTopology built) {
        return Planner.plan("wc", "wc-1", built, conf, EngineSettings.of(conf));
    }

    private static List<int[]> tasksOfExecutors(Plan plan, String component) {
        return Arrays.stream(plan.component(component).executors())
                .mapToObj(index -> plan.executors().get(index).taskIds())
                .toList();
    }

    @Test
    void shouldNumberTasksByComponentIdFromOne() {
        topology.setSpout("words", Feed.of(1).spout(), 2);
        topology.setBolt("count", TestBolt.ack(), 3).shuffleGrouping("words");
        topology.setBolt("Upper", TestBolt.ack()).shuffleGrouping("words");
        Plan plan = plan();
        assertThat(plan.components()).extracting(ComponentPlan::id).containsExactly("Upper", "count", "words");
        assertThat(plan.component("Upper").taskIds()).containsExactly(1);
        assertThat(plan.component("count").taskIds()).containsExactly(2, 3, 4);
        assertThat(plan.component("words").taskIds()).containsExactly(5, 6);
        assertThat(plan.taskToExecutor()).containsExactly(-1, 0, 1, 2, 3, 4, 5);
        for (int i = 0; i < plan.executors().size(); i++) {
            assertThat(plan.executors().get(i).index()).isEqualTo(i);
            assertThat(plan.executors().get(i).worker()).isZero();
        }
    }

    @Test
    void shouldDivideTasksAmongExecutorsAsEvenlyAsPossibleTheLongerFirst() {
        topology.setSpout("s", Feed.of(1).spout(), 3).setNumTasks(8);
        assertThat(tasksOfExecutors(plan(), "s"))
                .containsExactly(new int[] {1, 2, 3}, new int[] {4, 5, 6}, new int[] {7, 8});
    }

    @Test
    void shouldHaveNoMoreExecutorsThanTasks() {
        topology.setSpout("s", Feed.of(1).spout(), 5).setNumTasks(2);
        assertThat(tasksOfExecutors(plan(), "s")).containsExactly(new int[] {1}, new int[] {2});
    }

    @Test
    void shouldLimitTasksByMaxTaskParallelism() {
        topology.setSpout("s", Feed.of(1).spout(), 5);
        topology.setBolt("b", TestBolt.ack(), 5).setMaxTaskParallelism(2).shuffleGrouping("s");
        conf.put(Config.TOPOLOGY_MAX_TASK_PARALLELISM, 3);
        Plan plan = plan();
        assertThat(plan.component("s").taskIds()).hasSize(3);
        assertThat(plan.component("b").taskIds()).hasSize(2);
        assertThat(plan.component("b").executors()).hasSize(2);
    }

    @Test
    void shouldTakeTopologyTasksForAllComponentsWithoutTheirOwn() {
        topology.setSpout("s", Feed.of(1).spout(), 2);
        topology.setBolt("b", TestBolt.ack(), 2).setNumTasks(6).shuffleGrouping("s");
        conf.put(Config.TOPOLOGY_TASKS, 4);
        Plan plan = plan();
        assertThat(plan.component("s").taskIds()).hasSize(4);
        assertThat(plan.component("b").taskIds()).hasSize(6);
    }

    @Test
    void shouldOverlayTheConfigurationOfEachComponent() {
        topology.setSpout("s", Feed.of(1).spout()).addConfiguration("mine", 7).setMaxSpoutPending(3);
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s");
        conf.put("mine", 1);
        conf.put("common", "x");
        Plan plan = plan();
        assertThat(plan.component("s").conf())
                .containsEntry("mine", 7)
                .containsEntry("common", "x")
                .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 3);
        assertThat(plan.component("b").conf())
                .containsEntry("mine", 1)
                .doesNotContainKey(Config.TOPOLOGY_MAX_SPOUT_PENDING);
        assertThat(plan.conf()).containsEntry("mine", 1);
        assertThatThrownBy(() -> plan.component("b").conf().put("mine", 2))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldGiveAllComponentsTheSameRegistrationsWithKryo() {
        topology.setSpout("s", Feed.of(1).spout()).addConfiguration(Config.TOPOLOGY_KRYO_DECORATORS, List.of("own"));
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s");
        // As the cluster has put it together from the topology and its components.
        conf.put(Config.TOPOLOGY_KRYO_DECORATORS, List.of("common", "own"));
        Plan plan = plan();
        for (String id : List.of("s", "b")) {
            assertThat(plan.component(id).conf())
                    .containsEntry(Config.TOPOLOGY_KRYO_DECORATORS, List.of("common", "own"));
        }
    }

    @Test
    void shouldResolveStreamsAndSubscriptions() {
        topology.setSpout("s", Feed.of(1).spout());
        topology.setBolt(
                        "split",
                        TestBolt.of((t, out) -> {}, declarer -> {
                            declarer.declare(new Fields("a", "b"));
                            declarer.declareStream("errors", new Fields("e"));
                            declarer.declareStream("to", true, new Fields("d"));
                        }),
                        2)
                .shuffleGrouping("s");
        topology.setBolt("x", TestBolt.ack(), 3)
                .fieldsGrouping("split", new Fields("b"))
                .directGrouping("split", "to")
                .allGrouping("split", "errors");
        topology.setBolt("y", TestBolt.ack()).globalGrouping("split", "errors");
        Plan plan = plan();
        List<StreamPlan> streams = plan.component("split").outputs();
        assertThat(streams).extracting(StreamPlan::streamId).containsExactlyInAnyOrder("default", "errors", "to");
        for (StreamPlan stream : streams) {
            switch (stream.streamId()) {
                case "default" -> {
                    assertThat(stream.fields().toList()).containsExactly("a", "b");
                    assertThat(stream.direct()).isFalse();
                    assertThat(stream.subscriptions())
                            .extracting(SubscriptionPlan::targetComponentId)
                            .containsExactly("x");
                    assertThat(stream.subscriptions().get(0).targetTasks())
                            .isEqualTo(plan.component("x").taskIds());
                }
                case "errors" ->
                    assertThat(stream.subscriptions())
                            .extracting(SubscriptionPlan::targetComponentId)
                            .containsExactly("x", "y");
                default -> assertThat(stream.direct()).isTrue();
            }
        }
    }

    @Test
    void shouldGiveEverySpoutADeadLetterStream() {
        topology.setSpout("s", Feed.of(1).spout());
        topology.setBolt("dead", TestBolt.ack()).shuffleGrouping("s", Planner.DEAD_LETTER_STREAM);
        StreamPlan stream = plan().component("s").outputs().stream()
                .filter(s -> s.streamId().equals(Planner.DEAD_LETTER_STREAM))
                .findFirst()
                .orElseThrow();
        assertThat(stream.subscriptions())
                .extracting(SubscriptionPlan::targetComponentId)
                .containsExactly("dead");
        assertThat(stream.fields()).isEqualTo(Planner.DEAD_LETTER_FIELDS);
    }

    @Test
    void shouldSpreadALargeComponentOverAllLoopsAndPutASmallOneWhereItsInputIs() {
        conf.put(EngineSettings.LOOPS, 4);
        topology.setSpout("s", Feed.of(1).spout(), 8);
        topology.setSpout("t", Feed.of(1).spout());
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("t");
        Plan plan = plan();
        Set<Integer> loops = new HashSet<>();
        for (int executor : plan.component("s").executors()) {
            loops.add(plan.executors().get(executor).loop());
        }
        assertThat(loops).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(loopOf(plan, "a")).isEqualTo(loopOf(plan, "t"));
    }

    private static int loopOf(Plan plan, String component) {
        return plan.executors().get(plan.component(component).executors()[0]).loop();
    }

    @Test
    void shouldDealExecutorsOutToWorkersByComponentAndTask() {
        topology.setSpout("s", Feed.of(1).spout(), 3);
        topology.setBolt("b", TestBolt.ack(), 2).setNumTasks(3).shuffleGrouping("s");
        Plan plan = plan(3);
        assertThat(plan.workers()).isEqualTo(3);
        assertThat(plan.executors()).extracting(ExecutorPlan::worker).containsExactly(0, 1, 2, 0, 1);
        assertThat(plan.workerOf(1)).isZero();
        assertThat(plan.workerOf(2)).isZero();
        assertThat(plan.workerOf(3)).isEqualTo(1);
        assertThat(plan.workerOf(6)).isEqualTo(1);
        assertThat(plan(9).executors()).extracting(ExecutorPlan::worker).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldSpreadTheExecutorsOfEachWorkerOverItsLoops() {
        topology.setSpout("s", Feed.of(1).spout(), 12);
        for (int worker = 0; worker < 3; worker++) {
            int own = worker;
            assertThat(plan(3).executors().stream().filter(e -> e.worker() == own))
                    .extracting(ExecutorPlan::loop)
                    .containsExactly(0, 0, 1, 1);
        }
    }

    @Test
    void shouldFollowASchedulerThatHasNumberedTasksAndAssignedExecutors() {
        topology.setSpout("s", Feed.of(1).spout(), 1);
        topology.setBolt("b", TestBolt.ack(), 2).setNumTasks(3).shuffleGrouping("s");
        Map<Integer, String> tasks = Map.of(1, "__acker", 2, "b", 3, "b", 4, "b", 5, "__eventlogger", 6, "s");
        Map<Integer, Integer> workers = Map.of(-1, 0, 1, 0, 2, 1, 3, 0, 5, 1, 6, 1);
        Plan plan = plan(Assignment.of(tasks, workers, 2));
        assertThat(tasksOfExecutors(plan, "b")).containsExactly(new int[] {2}, new int[] {3, 4});
        assertThat(plan.executors()).extracting(ExecutorPlan::worker).containsExactly(1, 0, 1);
        assertThat(plan.taskToExecutor()).containsExactly(-1, -1, 0, 1, 1, -1, 2);
        assertThat(plan.workers()).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnAssignmentThatLeavesOutATask() {
        topology.setSpout("s", Feed.of(1).spout(), 2);
        assertThatThrownBy(() -> plan(Assignment.of(Map.of(1, "s", 2, "s"), Map.of(2, 0), 1)))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("component 's': task 1 is not assigned to a worker");
        assertThatThrownBy(() -> plan(Assignment.of(Map.of(1, "s", 3, "s"), Map.of(1, 0), 1)))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("component 's': its task ids are missing or not contiguous");
        assertThatThrownBy(() -> plan(Assignment.of(Map.of(1, "other"), Map.of(1, 0), 1)))
                .isInstanceOf(InvalidTopology.class);
        assertThatThrownBy(() -> Assignment.of(Map.of(1, "s"), Map.of(1, 2), 2))
                .hasMessage("the executor of task 1 is assigned to worker 2, which does not exist: the topology"
                        + " has 2 workers, numbered from 0");
    }

    @Test
    void shouldPlanForOneWorkerUnlessToldOtherwise() {
        topology.setSpout("s", Feed.of(1).spout(), 3);
        conf.put(Config.TOPOLOGY_WORKERS, 3);
        assertThat(plan().workers()).isEqualTo(1);
        assertThat(EngineSettings.workers(conf)).isEqualTo(3);
        conf.put(Config.TOPOLOGY_WORKERS, 0);
        assertThatThrownBy(() -> EngineSettings.workers(conf))
                .isInstanceOf(InvalidTopology.class)
                .hasMessageContaining("topology.workers is '0'");
    }

    private Plan plan(int workers) {
        return plan(Assignment.even(workers));
    }

    private Plan plan(Assignment assignment) {
        return Planner.plan("wc", "wc-1", topology.createTopology(), conf, EngineSettings.of(conf), assignment);
    }

    @Test
    void shouldPlaceCyclesThatNoSourceReaches() {
        topology.setSpout("s", Feed.of(1).spout());
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("b");
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("a");
        assertThat(plan().executors()).allSatisfy(e -> assertThat(e.loop()).isBetween(0, 1));
    }

    @Test
    void shouldMakeAFreshInstanceEachTime() {
        topology.setSpout("s", Feed.of(1).spout());
        ComponentPlan spout = plan().component("s");
        assertThat(spout.newInstance().get()).isNotSameAs(spout.newInstance().get());
    }

    @Test
    void shouldNameAComponentThatIsNotThere() {
        topology.setSpout("s", Feed.of(1).spout());
        Plan plan = plan();
        assertThatThrownBy(() -> plan.component("z"))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("there is no component 'z' in topology 'wc'");
    }
}
