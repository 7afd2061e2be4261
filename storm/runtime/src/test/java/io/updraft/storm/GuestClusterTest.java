package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.run.Engine;
import io.updraft.storm.conf.StormConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that a program creates for itself while a {@link SubmitterRedirect} is open. */
class GuestClusterTest {
    @TempDir
    Path folder;

    private final AtomicInteger engines = new AtomicInteger();
    private final UpdraftCluster host = new UpdraftCluster.Builder()
            .withDrainLimit(Duration.ZERO)
            .withEngines((topology, conf, options) -> {
                engines.incrementAndGet();
                return Engine.start(topology, conf, options);
            })
            .build();
    private SubmitterRedirect redirect;

    @BeforeEach
    void open() throws Exception {
        RunningComponents.reset(() -> {});
        redirect = SubmitterRedirect.open(
                host, StormConfig.read(List.of(), List.of(Config.TOPOLOGY_MAX_SPOUT_PENDING + "=17")));
    }

    @AfterEach
    void close() {
        redirect.close();
        host.close();
    }

    @Test
    void shouldBeSeenByItsHostForAsLongAsItIsOpen() throws Exception {
        UpdraftCluster guest = new UpdraftCluster();
        assertThat(host.clusters()).containsExactly(host, guest);
        guest.submitTopology("own", new Config(), RunningComponents.numbers());

        assertThat(guest.topologyNames()).containsExactly("own");
        assertThat(host.topologyNames()).isEmpty();
        assertThat(host.starts().started()).isOne();

        guest.close();
        assertThat(host.clusters()).containsExactly(host);
        assertThat(host.starts().started()).isOne();
    }

    @Test
    void shouldRunAsItsHostDoesWithOptionsOverWhatTheProgramSays() throws Exception {
        try (UpdraftCluster guest = new UpdraftCluster()) {
            guest.submitTopology("own", new Config(), RunningComponents.numbers());
            assertThat(engines).hasValue(1);
            assertThat(guest.engine("own").plan().conf()).containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 17);

            Config conf = new Config();
            conf.setMaxSpoutPending(3);
            guest.submitTopology("other", conf, RunningComponents.numbers());
            assertThat(guest.engine("other").plan().conf()).containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 17);
        }
    }

    @Test
    void shouldSimulateTimeInThisProcessWhereverItsHostRuns() throws Exception {
        try (UpdraftCluster guest =
                new UpdraftCluster.Builder().withSimulatedTime().build()) {
            guest.submitTopology("own", new Config(), RunningComponents.numbers());
            assertThat(engines).hasValue(0);
        }
    }

    @Test
    void shouldEndWithItsHostAndTakeNoMore() throws Exception {
        UpdraftCluster guest = new UpdraftCluster();
        guest.submitTopology("own", new Config(), RunningComponents.numbers());

        host.close();

        assertThat(guest.topologyNames()).isEmpty();
        UpdraftCluster late = new UpdraftCluster();
        assertThatThrownBy(() -> late.submitTopology("late", new Config(), RunningComponents.numbers()))
                .hasMessageContaining("the cluster is closed");
    }

    @Test
    void shouldBeNoGuestOnceTheDoorIsClosed() {
        redirect.close();
        try (UpdraftCluster own = new UpdraftCluster()) {
            assertThat(own.clusters()).containsExactly(own);
            assertThat(host.clusters()).containsExactly(host);
        }
    }

    @Test
    void shouldLetAProgramRunThatSubmitsToItsOwnCluster() throws Exception {
        try (JarRunner runner = JarRunner.open(TestJars.programs(folder))) {
            runner.run(host, "com.acme.Programs$HasItsOwnCluster", List.of());
        }
        assertThat(host.starts().started()).isOne();
    }

    @Test
    void shouldHaveStormsClientCallTheNewestNimbusThatIsOpen() throws Exception {
        UpdraftCluster first = new UpdraftCluster();
        UpdraftCluster second = new UpdraftCluster();
        NimbusOverride one = NimbusOverride.open(LocalNimbus.of(first));
        NimbusOverride two = NimbusOverride.open(LocalNimbus.of(second));
        StormSubmitter.submitTopology("newest", Map.of(), RunningComponents.numbers());
        assertThat(second.topologyNames()).containsExactly("newest");

        one.close();
        assertThat(namesThatStormsClientSees()).containsExactly("newest");
        two.close();
        StormSubmitter.submitTopology("hosts", Map.of(), RunningComponents.numbers());
        assertThat(host.topologyNames()).containsExactly("hosts");
        first.close();
        second.close();
    }

    private static List<String> namesThatStormsClientSees() throws Exception {
        try (NimbusClient client =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            return client.getClient().getTopologySummaries().stream()
                    .map(each -> each.get_name())
                    .toList();
        }
    }
}
