package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.base.testing.Await;
import io.updraft.storm.JarRunException.Kind;
import io.updraft.storm.conf.StormConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.ISubmitterHook;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitterRedirectTest {
    @TempDir
    Path folder;

    private final UpdraftCluster cluster = new UpdraftCluster();
    private SubmitterRedirect redirect;

    @BeforeEach
    void reset() {
        RunningComponents.reset(() -> {});
    }

    @AfterEach
    void close() {
        if (redirect != null) {
            redirect.close();
        }
        cluster.close();
    }

    @Test
    void shouldTakeWhatStormSubmitterSubmits() throws Exception {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);

        StormSubmitter.submitTopology("plain", new Config(), RunningComponents.numbers());
        StormSubmitter.submitTopologyAs(
                "inactive",
                new Config(),
                RunningComponents.numbers(),
                new SubmitOptions(TopologyInitialStatus.INACTIVE),
                null,
                "somebody");

        assertThat(cluster.topologyNames()).containsExactly("plain", "inactive");
        assertThat(cluster.getTopologySummaryByName("inactive").get_status()).isEqualTo("INACTIVE");
        Await.until("the topology runs", () -> RunningComponents.ACKED.get() > 100);
    }

    @Test
    void shouldLetAProgramSpeakToNimbus() throws Exception {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
        StormSubmitter.submitTopology("asked", new Config(), RunningComponents.numbers());

        try (NimbusClient client =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            assertThat(client.getClient().getClusterInfo().get_topologies()).hasSize(1);
            client.getClient().deactivate("asked");
            assertThat(client.getClient().getTopologyInfoByName("asked").get_status())
                    .isEqualTo("INACTIVE");
            client.getClient().killTopology("asked");
            assertThat(client.getClient().isTopologyNameAllowed("asked")).isTrue();
        }
    }

    @Test
    void shouldPutOptionsOverAndFilesBeneathWhatTheProgramSays() throws Exception {
        Path yaml = Files.writeString(
                folder.resolve("storm.yaml"),
                "topology.storm.yaml.key: from/file\n" + Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN + ": "
                        + Hook.class.getName() + "\n");
        StormConfig config = StormConfig.read(List.of(yaml), List.of(Config.TOPOLOGY_MAX_SPOUT_PENDING + "=17"));
        Config conf = new Config();
        conf.setMaxSpoutPending(3);
        conf.setDebug(false);
        Hook.seen = null;
        redirect = SubmitterRedirect.open(cluster, config);

        StormSubmitter.submitTopology("configured", conf, RunningComponents.numbers());

        assertThat(cluster.engine("configured").plan().conf())
                .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 17)
                .containsEntry(Config.TOPOLOGY_DEBUG, false);
        assertThat(Hook.seen).isEqualTo("configured from/file");
    }

    @Test
    void shouldPutEverythingBackWhenClosed() throws Exception {
        StormConfig config =
                StormConfig.read(List.of(Files.writeString(folder.resolve("a.yaml"), "a: 1")), List.of("b=2"));
        redirect = SubmitterRedirect.open(cluster, config);
        assertThat(Utils.readStormConfig()).containsEntry("a", 1).containsEntry("b", 2);
        Path standIn = Path.of(System.getProperty("storm.jar"));

        redirect.close();

        assertThat(NimbusClient.isLocalOverride()).isFalse();
        assertThat(Utils.readStormConfig()).doesNotContainKeys("a", "b");
        assertThat(System.getProperty("storm.jar")).isNull();
        assertThat(standIn).doesNotExist();
    }

    @Test
    void shouldBeOpenOnce() {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);

        assertThatThrownBy(() -> SubmitterRedirect.open(cluster, StormConfig.NONE))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseAnInvalidTopologyThroughStormSubmitter() {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
        StormTopology invalid = invalid();

        assertThatThrownBy(() -> StormSubmitter.submitTopology("invalid", new Config(), invalid))
                .hasCauseInstanceOf(InvalidTopologyException.class) // Storm's client wraps it
                .hasMessageContaining("nowhere");
    }

    @Test
    void shouldRunProgramsOfAJar() throws Exception {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
        try (JarRunner runner = JarRunner.open(TestJars.programs(folder))) {
            runner.run(cluster, "com.acme.Programs$Submits", List.of("one"));
            runner.run(cluster, "com.acme.Programs$SubmitsWithProgressBar", List.of("two"));
            runner.run(cluster, "com.acme.Programs$Configurable", List.of("three"));

            assertThat(cluster.topologyNames()).containsExactly("one", "two", "three");
            for (String name : cluster.topologyNames()) {
                Await.until(
                        name + " runs",
                        () -> cluster.engine(name).snapshot().components().stream()
                                .allMatch(component -> component.acked() > 0));
            }
            cluster.close();
        }
    }

    @Test
    void shouldMakeInstancesWithTheLoaderOfTheJar() throws Exception {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
        try (JarRunner runner = JarRunner.open(TestJars.programs(folder))) {
            runner.run(cluster, "com.acme.Programs$Submits", List.of("own"));

            Object sink =
                    cluster.engine("own").plan().component("sink").newInstance().get();

            assertThat(sink.getClass().getName()).isEqualTo("com.acme.Programs$Sink");
            assertThat(sink.getClass().getClassLoader()).isSameAs(runner.loader());
            cluster.close();
        }
    }

    @Test
    void shouldTellARefusalInOneLineEvenWhenTheProgramSwallowsIt() throws Exception {
        redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
        try (JarRunner runner = JarRunner.open(TestJars.programs(folder))) {
            JarRunException refusal = catchThrowableOfType(
                    JarRunException.class,
                    () -> runner.run(cluster, "com.acme.Programs$SubmitsNonsense", List.of("nonsense")));
            JarRunException swallowed = catchThrowableOfType(
                    JarRunException.class, () -> runner.run(cluster, "com.acme.Programs$Configurable", List.of("a/b")));

            assertThat(refusal.kind()).isEqualTo(Kind.TOPOLOGY_REFUSED);
            assertThat(refusal).hasMessageContaining("lost").hasMessageContaining("nowhere");
            assertThat(swallowed.kind()).isEqualTo(Kind.NOTHING_SUBMITTED);
        }
    }

    private static StormTopology invalid() {
        var builder = RunningComponents.builder();
        builder.setBolt("lost", new RunningComponents.Sink()).shuffleGrouping("nowhere");
        return builder.createTopology();
    }

    /** Remembers what it was told. */
    public static final class Hook implements ISubmitterHook {
        private static volatile String seen;

        /** Creates the hook; Storm does. */
        public Hook() {}

        @Override
        public void notify(TopologyInfo info, Map<String, Object> conf, StormTopology topology) {
            seen = info.get_name() + " " + conf.get("topology.storm.yaml.key");
        }
    }
}
