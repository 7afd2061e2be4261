package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.SaslException;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.security.auth.digest.DigestSaslTransportPlugin;
import org.apache.storm.security.auth.kerberos.KerberosSaslTransportPlugin;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.transport.TSaslClientTransport;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Storm's own clients against ports that are not open to everybody. */
class ThriftSecurityTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String PASSWORD = "changeit";
    private static final String LOGIN = "java.security.auth.login.config";

    private final Map<String, Object> conf = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private NimbusPort openPort() throws IOException {
        UpdraftCluster cluster =
                new UpdraftCluster.Builder().withDaemonConf(conf).build();
        NimbusPort port = NimbusPort.open(cluster, ANY);
        open.add(port);
        open.add(cluster);
        return port;
    }

    private Map<String, Object> clientConf(int port) {
        Map<String, Object> client = Utils.readStormConfig();
        client.putAll(conf);
        client.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        client.put(Config.NIMBUS_THRIFT_PORT, port);
        client.put(Config.STORM_NIMBUS_RETRY_TIMES, 0);
        return client;
    }

    @Test
    @Tag("slow")
    void shouldSpeakTlsWithThoseWhoShowACertificate() throws Exception {
        Path server = keyStore("server");
        Path client = keyStore("client");
        Path stranger = keyStore("stranger");
        int tlsPort = freePort();
        conf.put(Config.NIMBUS_THRIFT_TLS_PORT, tlsPort);
        conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PATH, server.toString());
        conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PASSWORD, PASSWORD);
        conf.put(
                Config.NIMBUS_THRIFT_TLS_SERVER_TRUSTSTORE_PATH,
                trustStore("client").toString());
        conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_TRUSTSTORE_PASSWORD, PASSWORD);
        NimbusPort port = openPort();
        assertThat(port.tlsAddress().getPort()).isEqualTo(tlsPort);
        assertThat(port.address().getAddress().isLoopbackAddress()).isTrue();

        Map<String, Object> known = clientConf(port.address().getPort());
        known.put(Config.NIMBUS_THRIFT_CLIENT_USE_TLS, true);
        known.put(
                Config.NIMBUS_THRIFT_TLS_CLIENT_TRUSTSTORE_PATH,
                trustStore("server").toString());
        known.put(Config.NIMBUS_THRIFT_TLS_CLIENT_TRUSTSTORE_PASSWORD, PASSWORD);
        known.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PATH, client.toString());
        known.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PASSWORD, PASSWORD);
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(known).build()) {
            assertThat(nimbus.getClient().getLeader().get_tlsPort()).isEqualTo(tlsPort);
            assertThat(nimbus.getClient().getNimbusConf()).contains("\"nimbus.thrift.tls.port\":" + tlsPort);
        }

        Map<String, Object> unknown = new HashMap<>(known);
        unknown.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PATH, stranger.toString());
        assertThatThrownBy(() -> NimbusClient.Builder.withConf(unknown).build())
                .hasMessageContaining("Could not find leader nimbus");
    }

    @Test
    @DisabledForJreRange(
            min = JRE.JAVA_24,
            disabledReason = "Storm's client calls Subject.getSubject there, which always throws")
    void shouldSpeakWithClientsOfStormThatKnowAPassword() throws Exception {
        Path login = Files.writeString(folder.resolve("jaas.conf"), """
                StormServer { org.apache.zookeeper.server.auth.DigestLoginModule required user_ann="secret"; };
                StormClient { org.apache.zookeeper.server.auth.DigestLoginModule required username="ann" password="secret"; };
                """);
        Path wrong = Files.writeString(folder.resolve("wrong.conf"), """
                StormClient { org.apache.zookeeper.server.auth.DigestLoginModule required username="ann" password="guess"; };
                """);
        conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        conf.put(LOGIN, login.toString());
        NimbusPort port = openPort();
        Map<String, Object> known = clientConf(port.address().getPort());
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(known).build()) {
            assertThat(nimbus.getClient().getTopologySummaries()).isEmpty();
        }
        Map<String, Object> guessing = new HashMap<>(known);
        guessing.put(LOGIN, wrong.toString());
        assertThatThrownBy(() -> NimbusClient.Builder.withConf(guessing).build())
                .hasMessageContaining("Could not find leader nimbus");
    }

    @Test
    void shouldSpeakWithThoseWhoKnowAPasswordOnAnyJdk() throws Exception {
        conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        conf.put(LOGIN, Files.writeString(folder.resolve("jaas.conf"), """
                StormServer { org.apache.zookeeper.server.auth.DigestLoginModule required user_ann="secret"; };
                """).toString());
        int port = openPort().address().getPort();

        try (TTransport ann = connection(port, "secret")) {
            ann.open();
            assertThat(new Nimbus.Client(new TBinaryProtocol(ann)).getTopologySummaries())
                    .isEmpty();
        }
        try (TTransport stranger = connection(port, "guess")) {
            assertThatThrownBy(stranger::open).isInstanceOf(TTransportException.class);
        }
    }

    private static TTransport connection(int port, String password) throws TTransportException, SaslException {
        CallbackHandler answers = callbacks -> {
            for (Callback callback : callbacks) {
                if (callback instanceof NameCallback name) {
                    name.setName("ann");
                } else if (callback instanceof PasswordCallback secret) {
                    secret.setPassword(password.toCharArray());
                } else if (callback instanceof RealmCallback realm) {
                    realm.setText(realm.getDefaultText());
                }
            }
        };
        return new TSaslClientTransport(
                DigestSaslTransportPlugin.DIGEST,
                null,
                ClientAuthUtils.SERVICE,
                "localhost",
                Map.of(),
                answers,
                new TSocket("localhost", port));
    }

    @Test
    void shouldRefuseWhatItCannotKeep() {
        conf.put(Config.NIMBUS_THRIFT_TRANSPORT_PLUGIN, KerberosSaslTransportPlugin.class.getName());
        assertThatThrownBy(this::openPort)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the port for NIMBUS is to speak '"
                        + KerberosSaslTransportPlugin.class.getName() + "', which is not offered");

        conf.put(Config.NIMBUS_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        assertThatThrownBy(this::openPort).hasMessageStartingWith("DigestSaslTransportPlugin needs passwords");

        conf.put(Config.NIMBUS_THRIFT_TRANSPORT_PLUGIN, SimpleTransportPlugin.class.getName());
        conf.put(Config.NIMBUS_THRIFT_TLS_PORT, 1);
        assertThatThrownBy(this::openPort)
                .hasMessage("TLS needs nimbus.thrift.tls.server.keystore.path and the password that belongs to it"
                        + " (nimbus.thrift.tls.server.keystore.password)");
        conf.put(
                Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PATH,
                folder.resolve("none.p12").toString());
        conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PASSWORD, PASSWORD);
        assertThatThrownBy(this::openPort)
                .hasMessageStartingWith(
                        "nimbus.thrift.tls.server.keystore.path: " + folder.resolve("none.p12") + " cannot be read");
    }

    private Path keyStore(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        keytool("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=localhost", "-keystore", file.toString());
        keytool("-exportcert", "-alias", name, "-file", certificate(name), "-keystore", file.toString());
        return file;
    }

    private Path trustStore(String name) throws Exception {
        Path file = folder.resolve(name + "-trusted.p12");
        keytool("-importcert", "-noprompt", "-alias", name, "-file", certificate(name), "-keystore", file.toString());
        return file;
    }

    private String certificate(String name) {
        return folder.resolve(name + ".cer").toString();
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
