package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterRefusalsTest {
    private static String explain(Throwable failure) {
        return ClusterRefusals.explain(new RuntimeException(new RuntimeException("wrapped", failure)))
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/storm", "/storm/credentials/word-count-1-1790000000"})
    void shouldNameTheNodeThatZooKeeperRefuses(String node) {
        assertThat(explain(KeeperException.create(KeeperException.Code.NOAUTH, node)))
                .startsWith("ZooKeeper refuses " + node
                        + " to this worker (NoAuth; its path may begin below storm.zookeeper.root)")
                .contains("storm.zookeeper.topology.auth.payload", "'Secured clusters'")
                .doesNotContain("\n");
    }

    @Test
    void shouldNameTheLoginThatZooKeeperRefuses() {
        assertThat(explain(KeeperException.create(KeeperException.Code.AUTHFAILED)))
                .startsWith("ZooKeeper refuses the login of this worker (AUTHFAILED)")
                .contains("java.security.auth.login.config");
    }

    @ParameterizedTest
    @EnumSource(
            value = KeeperException.Code.class,
            names = {"CONNECTIONLOSS", "SESSIONEXPIRED", "OPERATIONTIMEOUT"})
    void shouldSayThatZooKeeperDoesNotAnswer(KeeperException.Code code) {
        assertThat(explain(KeeperException.create(code)))
                .startsWith("ZooKeeper does not answer (" + code + ")")
                .contains("storm.zookeeper.servers");
    }

    @Test
    void shouldNameNimbusThatIsAwayOrRefusesTheToken() {
        assertThat(explain(
                        new NimbusLeaderNotFoundException("Could not find leader nimbus from seed hosts [localhost].")))
                .startsWith("no host of nimbus.seeds is a Nimbus that accepts this worker (Could not find leader nimbus"
                        + " from seed hosts [localhost].)")
                .contains("storm upload-credentials");
    }

    @Test
    void shouldSayThatThereIsNoValidTicket() {
        for (Throwable failure :
                new Throwable[] {new LoginException("no key"), new TTransportException(new SaslException("no key"))}) {
            assertThat(explain(failure))
                    .startsWith("the topology's credentials have no valid token or Kerberos ticket (no key)")
                    .contains("kinit", "storm upload-credentials");
        }
    }

    @Test
    void shouldLeaveOtherFailuresAsTheyAre() {
        assertThat(ClusterRefusals.explain(new IOException("disk full"))).isEmpty();
        assertThat(ClusterRefusals.explain(KeeperException.create(KeeperException.Code.NONODE)))
                .isEmpty();
    }
}
