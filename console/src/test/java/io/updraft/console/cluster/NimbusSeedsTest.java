package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.exit.UserError;
import io.updraft.storm.NimbusPort;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Storm's own client, against a Nimbus of this process. */
class NimbusSeedsTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static NimbusSeeds seeds(String... named) {
        return NimbusSeeds.of(Map.of(), List.of(named), TIMEOUT);
    }

    @Test
    void shouldReadAddresses() {
        assertThat(seeds("a", "b:1", "[::1]:2", "::1").address()).isEqualTo("a:6627, b:1, [::1]:2, [::1]:6627");
        assertThat(NimbusSeeds.of(
                                Map.of("nimbus.seeds", List.of("x", "y"), "nimbus.thrift.port", 7), List.of(), TIMEOUT)
                        .address())
                .isEqualTo("x:7, y:7");
        assertThatThrownBy(() -> seeds("a:b")).isInstanceOf(UserError.class).hasMessageContaining("'a:b'");
        assertThatThrownBy(NimbusSeedsTest::seeds).isInstanceOf(UserError.class).hasMessageContaining("--nimbus");
    }

    @Test
    void shouldFindTheNimbusThatListens() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (UpdraftCluster cluster = new UpdraftCluster();
                NimbusPort port = NimbusPort.open(cluster, any);
                NimbusCaller caller = new NimbusCaller(
                        seeds("localhost:1", "localhost:" + port.address().getPort()))) {
            assertThat(caller.read(new ClusterCalls.Cluster()).get_nimbuses()).hasSize(1);
            assertThatThrownBy(() -> caller.read(new ClusterCalls.Topology("nix")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("nix");
            assertThat(caller.read(new ClusterCalls.Cluster()).get_topologies()).isEmpty();
        }
    }

    @Test
    void shouldSayInOneLineThatNimbusIsAwayOrHangs() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                NimbusCaller away = new NimbusCaller(seeds("localhost:1"));
                NimbusCaller hangs = new NimbusCaller(seeds("localhost:" + silent.getLocalPort()))) {
            assertThatThrownBy(() -> away.read(new ClusterCalls.Cluster()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Nimbus at localhost:1 cannot be reached: Connection refused");
            assertThatThrownBy(() -> hangs.read(new ClusterCalls.Cluster()))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("does not answer in time");
        }
    }
}
