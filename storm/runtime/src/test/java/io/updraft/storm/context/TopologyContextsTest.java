package io.updraft.storm.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.plan.Plan;
import io.updraft.storm.TestComponents;
import io.updraft.storm.TestPlans;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.shade.org.apache.commons.lang.NotImplementedException;
import org.apache.storm.state.ISubscribedState;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class TopologyContextsTest {
    @AutoClose
    private final TopologyContexts contexts = new TopologyContexts();

    private final Plan plan = TestPlans.of(topology().createTopology(), Map.of());

    @Test
    void shouldTellATaskItsPlaceInTheTopology() {
        TopologyContext context = contextOf("count", 2);

        assertThat(context.getThisComponentId()).isEqualTo("count");
        assertThat(context.getThisTaskIndex()).isEqualTo(1);
        assertThat(context.getComponentTasks("count")).containsExactly(1, 2, 3);
        assertThat(context.getComponentTasks("words")).containsExactly(4, 5);
        assertThat(context.getComponentTasks("nobody")).isEmpty();
        assertThat(context.getTaskToComponent()).hasSize(5).containsEntry(5, "words");
        assertThat(context.getStormId()).isEqualTo("test-1-0");
        assertThat(context.getComponentIds()).containsExactlyInAnyOrder("count", "words");
    }

    @Test
    void shouldTellATaskItsStreamsSourcesAndTargets() {
        TopologyContext words = contextOf("words", 4);
        TopologyContext count = contextOf("count", 1);

        assertThat(words.getThisStreams()).containsExactlyInAnyOrder("default", "extra");
        assertThat(words.getThisOutputFields("extra").toList()).containsExactly("a", "b");
        assertThat(words.getThisTargets()).containsOnlyKeys("default");
        assertThat(words.getThisTargets().get("default")).containsOnlyKeys("count");
        assertThat(count.getThisSources()).containsOnlyKeys(new GlobalStreamId("words", "default"));
        assertThat(count.getThisInputFields().get("words")).containsEntry("default", List.of("word"));
        assertThat(words.toJSONString()).contains("\"componentid\":\"words\"");
    }

    @Test
    void shouldRefuseSubscribedStateAsStormDoes() {
        ISubscribedState state = new ISubscribedState() {
            @Override
            public void set(Object id, Tuple tuple) {}

            @Override
            public void remove(Object id) {}
        };

        assertThatThrownBy(() -> contextOf("count", 1).setSubscribedState("words", state))
                .isInstanceOf(NotImplementedException.class);
        assertThatThrownBy(() -> contextOf("count", 1).setAllSubscribedState(state))
                .isInstanceOf(NotImplementedException.class);
    }

    @Test
    void shouldRunAllTasksInOneWorker() {
        TopologyContext context = contextOf("words", 4);

        assertThat(context.getThisWorkerTasks()).containsExactly(1, 2, 3, 4, 5);
        assertThat(context.getThisWorkerPort()).isPositive();
    }

    @Test
    void shouldNameTheFieldsOfTicks() {
        Tuple tick = new TupleImpl(
                contextOf("count", 1),
                new Values(7),
                Constants.SYSTEM_COMPONENT_ID,
                (int) Constants.SYSTEM_TASK_ID,
                Constants.SYSTEM_TICK_STREAM_ID);

        assertThat(tick.getFields().toList()).containsExactly("rate_secs");
        assertThat(tick.getValueByField("rate_secs")).isEqualTo(7);
        assertThat(tick.getSourceComponent()).isEqualTo("__system");
    }

    @Test
    void shouldRefuseAStreamThatIsNotDeclared() {
        assertThatThrownBy(() -> contextOf("count", 1).getComponentOutputFields("words", "nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("words:nothing");
    }

    @Test
    void shouldFindTheLongestMessageTimeoutOfTheSpouts() {
        TopologyBuilder builder = topology();
        builder.setSpout("slow", new TestComponents.QuietSpout())
                .addConfiguration(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 90);
        Plan slow = TestPlans.of(builder.createTopology(), Map.of());

        TopologyContext context = contexts.create(slow, slow.component("slow"), 4, new HashMap<>());

        assertThat(context.maxTopologyMessageTimeout()).isEqualTo(90);
    }

    @Test
    void shouldKeepTheHooksOfATask() {
        TopologyContext context = contextOf("count", 1);
        BaseTaskHook hook = new BaseTaskHook();

        context.addTaskHook(hook);

        assertThat(context.getHooks()).containsExactly(hook);
    }

    @Test
    void shouldShareExecutorDataAmongTheTasksOfAnExecutorOnly() {
        Map<String, Object> shared = new HashMap<>();
        TopologyContext first = contexts.create(plan, plan.component("count"), 1, shared);
        TopologyContext second = contexts.create(plan, plan.component("count"), 2, shared);

        first.setExecutorData("cache", "full");
        first.setTaskData("mine", "only");

        assertThat(second.getExecutorData("cache")).isEqualTo("full");
        assertThat(second.getTaskData("mine")).isNull();
        assertThat(contextOf("count", 3).getExecutorData("cache")).isNull();
    }

    @Test
    void shouldShareOneThreadPoolUntilTheTopologyEnds() {
        ExecutorService pool = contextOf("count", 1).getSharedExecutor();

        assertThat(contextOf("words", 4).getSharedExecutor()).isSameAs(pool);
        assertThat(pool.submit(() -> Thread.currentThread().isDaemon()))
                .succeedsWithin(java.time.Duration.ofSeconds(50))
                .isEqualTo(true);

        contexts.close();
        assertThatThrownBy(() -> pool.submit(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shouldMakeDirectoriesWhenAskedAndRemoveThemAtTheEnd() throws Exception {
        TopologyContext context = contextOf("count", 1);

        Path code = Path.of(context.getCodeDir());
        Path pids = Path.of(context.getPIDDir());
        Files.writeString(pids.resolve("4711"), "");

        assertThat(code).isDirectory();
        assertThat(contextOf("count", 1).getPIDDir()).isEqualTo(pids.toString());
        assertThat(contextOf("words", 4).getPIDDir())
                .as("one directory for each task")
                .isNotEqualTo(pids.toString());
        contexts.close();
        assertThat(code).doesNotExist();
        assertThat(pids).doesNotExist();
    }

    @Test
    @SuppressWarnings("deprecation") // Storm's older metrics are part of its contract
    void shouldLetARebuiltInstanceRegisterItsMetricsAgain() {
        TopologyContext first = contextOf("count", 1);
        first.registerCounter("seen").inc(5);
        first.registerGauge("size", () -> 1);
        first.registerMetric("old", new org.apache.storm.metric.api.CountMetric(), 60);
        contextOf("count", 2).registerCounter("seen").inc(9);

        TopologyContext rebuilt = contextOf("count", 1);

        assertThat(rebuilt.registerCounter("seen").getCount()).isZero();
        assertThat(rebuilt.registerGauge("size", () -> 2).getValue()).isEqualTo(2);
        assertThat(rebuilt.registerMetric("old", new org.apache.storm.metric.api.CountMetric(), 60))
                .isNotNull();
        assertThat(rebuilt.registerTimer("t")).isNotNull();
        assertThat(rebuilt.registerMeter("m")).isNotNull();
        assertThat(rebuilt.registerHistogram("h")).isNotNull();
    }

    @Test
    void shouldStartWorkerHooksBeforeTheFirstContextAndEndThemWithTheTopology() {
        TopologyBuilder builder = topology();
        builder.addWorkerHook(new RecordingHook());
        Plan hooked = TestPlans.of(builder.createTopology(), Map.of());

        TopologyContext context = contexts.create(hooked, hooked.component("count"), 1, new HashMap<>());

        assertThat(context.getResource("greeting")).isEqualTo("hello from test-1-0");
        assertThat(RecordingHook.ended).isFalse();
        contexts.close();
        assertThat(RecordingHook.ended).isTrue();
    }

    private TopologyContext contextOf(String component, int task) {
        return contexts.create(plan, plan.component(component), task, new HashMap<>());
    }

    private static TopologyBuilder topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestComponents.QuietSpout(), 2);
        builder.setBolt("count", new TestComponents.QuietBolt(), 3).fieldsGrouping("words", new Fields("word"));
        return builder;
    }

    /** Sets a resource, and remembers its end. */
    static final class RecordingHook extends BaseWorkerHook {
        private static boolean ended;

        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            ended = false;
            context.setResource("greeting", "hello from " + context.getStormId());
        }

        @Override
        public void shutdown() {
            ended = true;
        }
    }
}
