package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LocalNimbusTest {
    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    private final Nimbus.Iface nimbus = LocalNimbus.of(cluster);

    @Test
    void shouldRefuseOtherCallsByName() {
        assertThatThrownBy(() -> nimbus.getSupervisorAssignments("node"))
                .isInstanceOf(TApplicationException.class)
                .hasMessage("an embedded cluster does not support Nimbus' call 'getSupervisorAssignments'");
    }

    @Test
    void shouldAllowValidNamesThatAreFree() throws Exception {
        assertThat(nimbus.isTopologyNameAllowed("word-count")).isTrue();
        assertThat(nimbus.isTopologyNameAllowed("a/b")).isFalse();
        assertThat(nimbus.isTopologyNameAllowed("a.b")).isFalse();
    }

    @Test
    void shouldTellNobodyThePasswordsOfItsConfiguration() throws Exception {
        String password = "nimbus.thrift.tls.server.keystore.password";
        Map<String, Object> nested = Map.of("client_secret", "hidden", "port", 1);
        try (UpdraftCluster secured = new UpdraftCluster.Builder()
                .withDaemonConf(Map.of(
                        password, "hidden", "acme.filter", List.of(nested), "storm.zookeeper.auth.payload", "u:hidden"))
                .build()) {
            String reported = LocalNimbus.of(secured).getNimbusConf();

            assertThat(reported).doesNotContain("hidden");
            Map<String, Object> conf = Utils.parseJson(reported);
            assertThat(conf)
                    .containsEntry(password, "*****")
                    .containsEntry("acme.filter", List.of(Map.of("client_secret", "*****", "port", 1)))
                    .containsEntry("nimbus.thrift.port", 6627);
            // What runs here has to know them.
            assertThat(secured.getDaemonConf()).containsEntry(password, "hidden");
        }
    }

    @Test
    void shouldTakeAJarAndDropIt() throws Exception {
        String location = nimbus.beginFileUpload();
        ByteBuffer chunk = ByteBuffer.wrap(new byte[10]);

        nimbus.uploadChunk(location, chunk);
        nimbus.finishFileUpload(location);

        assertThat(chunk.hasRemaining()).isFalse();
    }

    @Test
    void shouldKnowNoBlobs() {
        assertThatThrownBy(() -> nimbus.getBlobMeta("dictionary"))
                .isInstanceOf(KeyNotFoundException.class)
                .hasMessageContaining("dictionary");
    }

    @Test
    void shouldSayThatATopologyIsNotAlive() {
        assertThatThrownBy(() -> nimbus.killTopologyWithOpts("ghost", new KillOptions()))
                .isInstanceOf(NotAliveException.class)
                .hasMessage("there is no topology named 'ghost'; none is running");
        assertThatThrownBy(() -> nimbus.getTopologyInfo("ghost-1-0")).isInstanceOf(NotAliveException.class);
    }

    @Test
    void shouldBeTheLeaderOfAClusterOfOneHost() throws Exception {
        assertThat(nimbus.getLeader().is_isLeader()).isTrue();
        assertThat(nimbus.getClusterInfo().get_nimbuses()).hasSize(1);
        assertThat(nimbus.getClusterInfo().get_topologies()).isEmpty();
    }
}
