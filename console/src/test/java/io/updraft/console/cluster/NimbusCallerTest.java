package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NimbusCallerTest {
    private static final TException HANGS = new TTransportException(new SocketTimeoutException("Read timed out"));
    private static final TException REFUSED = new TTransportException(new ConnectException("Connection refused"));

    @Test
    void shouldReadFromTheNewLeaderWhenTheLeadershipHasMoved() throws IOException {
        FakeNimbus nimbus = new FakeNimbus();
        try (NimbusCaller caller = new NimbusCaller(nimbus)) {
            caller.read(new ClusterCalls.Cluster());
            caller.read(new ClusterCalls.Cluster());
            assertThat(nimbus.connections).hasValue(1);

            nimbus.leader = 6628;
            caller.read(new ClusterCalls.Cluster());
            caller.read(new ClusterCalls.Cluster());
            caller.read(new ClusterCalls.Cluster());
            assertThat(nimbus.connections).hasValue(2);
        }
    }

    @Test
    void shouldSayWhetherAnOrderHasReachedNimbus() {
        FakeNimbus nimbus = new FakeNimbus();
        nimbus.failure = HANGS;
        try (NimbusCaller caller = new NimbusCaller(nimbus);
                NimbusCaller away = new NimbusCaller(unavailable(Map.of("a:1", REFUSED)))) {
            assertThatThrownBy(() -> caller.order(iface -> iface.getClusterInfo()))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "Nimbus at nimbus:6627 does not answer in time. Nimbus may do it or not: look before you"
                                    + " repeat it");
            assertThatThrownBy(() -> away.order(iface -> iface.getClusterInfo()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Nimbus at a:1 cannot be reached: Connection refused. Nothing was done");
        }
    }

    @Test
    void shouldNameTheLeaderThatDoesNotAnswer() {
        Map<String, TException> failures = new LinkedHashMap<>();
        failures.put("a:1", REFUSED);
        failures.put("b:2", new NoLeaderException("a:1", REFUSED));

        assertThat(messageOf(failures)).isEqualTo("the leading Nimbus at a:1 cannot be reached: Connection refused");
        assertThat(messageOf(Map.of("b:2", new NoLeaderException(null))))
                .isEqualTo("Nimbus has no leader at the moment");
    }

    @Test
    void shouldSayWhyEachDaemonCannotBeUsed() {
        Map<String, TException> failures = new LinkedHashMap<>();
        failures.put("a:1", REFUSED);
        failures.put("b:2", new TTransportException(new UnknownHostException("b")));
        failures.put("c:3", REFUSED);

        assertThat(messageOf(failures))
                .isEqualTo("Nimbus at a:1, c:3 cannot be reached: Connection refused;"
                        + " Nimbus at b:2 cannot be reached: there is no such host");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Peer indicated failure: DIGEST-MD5: digest response format violation. Mismatched response. | wrong password
        Peer indicated failure: no such user | no such user
        """)
    void shouldSayWhyNimbusRefusesALogin(String thrown, String shown) {
        TException refused =
                new TTransportException(new RuntimeException(new RuntimeException(new TTransportException(thrown))));

        assertThat(messageOf(Map.of("a:1", refused)))
                .isEqualTo("Nimbus at a:1 cannot be used: the login fails: " + shown);
    }

    @Test
    void shouldSayWhyALoginCannotBegin() {
        Exception broken = new IOException("Configuration Error:\n\tLine 3: expected [{]");
        TException failure = new TTransportException(new RuntimeException(new RuntimeException(broken)));

        assertThat(messageOf(Map.of("a:1", failure)))
                .isEqualTo("Nimbus at a:1 cannot be used: the login fails: IOException: Configuration Error: Line 3:"
                        + " expected [{]");
    }

    private static String messageOf(Map<String, TException> failures) {
        try (NimbusCaller caller = new NimbusCaller(unavailable(failures))) {
            return caller.failure(new NimbusUnavailableException(failures)).getMessage();
        }
    }

    private static NimbusOpener unavailable(Map<String, TException> failures) {
        return new NimbusOpener() {
            @Override
            public Connection open() throws TException {
                throw new NimbusUnavailableException(failures);
            }

            @Override
            public String address() {
                return String.join(", ", failures.keySet());
            }
        };
    }
}
