package io.updraft.storm.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestSpout;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class WorkerHooksTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void shouldStartWithTheTopologyAndEndAfterItsLastComponent() throws Exception {
        cluster.submitTopologyWithOpts(
                "hooked", Map.of(), topology(false), new SubmitOptions(TopologyInitialStatus.INACTIVE));
        assertThat(SEEN).containsExactly("hook starts");
        cluster.activate("hooked");
        Await.until("it is opened", () -> SEEN.size() == 2);
        cluster.close();
        assertThat(SEEN).containsExactly("hook starts", "spout opens with a present", "spout closes", "hook ends");
    }

    @Test
    void shouldRefuseATopologyWhoseHookCannotStart() {
        assertThatThrownBy(() -> cluster.submitTopology("hooked", Map.of(), topology(true)))
                .isInstanceOf(InvalidTopologyException.class)
                .extracting(e -> ((InvalidTopologyException) e).get_msg())
                .asString()
                .contains("topology 'hooked'", "worker hook " + Bad.class.getName(), "no licence");
        // The one before it was started, and has ended.
        assertThat(SEEN).containsExactly("hook starts", "hook ends");
        assertThat(cluster.topologyNames()).isEmpty();
    }

    private static StormTopology topology(boolean bad) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new Spout());
        builder.addWorkerHook(new Hook());
        if (bad) {
            builder.addWorkerHook(new Bad());
        }
        return builder.createTopology();
    }

    static final class Hook extends BaseWorkerHook {
        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            SEEN.add("hook starts");
            context.setResource("present", "a present");
        }

        @Override
        public void shutdown() {
            SEEN.add("hook ends");
        }
    }

    static final class Bad extends BaseWorkerHook {
        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            throw new IllegalStateException("no licence");
        }
    }

    static final class Spout extends TestSpout {
        @Override
        protected void opened() {
            SEEN.add("spout opens with " + context.getResource("present"));
        }

        @Override
        public void close() {
            SEEN.add("spout closes");
        }
    }
}
