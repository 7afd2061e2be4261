package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
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
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.security.auth.digest.DigestSaslTransportPlugin;
import org.apache.storm.security.auth.kerberos.KerberosSaslTransportPlugin;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.transport.TSaslClientTransport;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.thrift.transport.layered.TFramedTransport;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Storm's own clients against ports with authentication. */
class ThriftSecurityTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String PASSWORD = "changeit";
    private static final String LOGIN = "java.security.auth.login.config";

    private final Map<String, Object> conf = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private UpdraftCluster cluster;

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private NimbusPort openPort() throws IOException {
        cluster = new UpdraftCluster.Builder().withDaemonConf(conf).build();
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
    @Tag("long")
    void shouldSpeakTlsWithThoseWhoShowACertificate() throws Exception {
        Path server = keyStore("server");
        Path client = keyStore("client");
        Path peer = keyStore("stranger");
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
            String session = nimbus.getClient().beginCreateBlob("signed", new SettableBlobMeta(List.of()));
            nimbus.getClient().finishBlobUpload(session);
            assertThat(nimbus.getClient().getBlobMeta("signed").get_settable().get_acl())
                    .extracting(AccessControl::get_name)
                    .containsExactly("CN=client");
        }

        Map<String, Object> unknown = new HashMap<>(known);
        unknown.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PATH, peer.toString());
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

        try (TTransport ann = connection(port, "ann", "secret")) {
            ann.open();
            assertThat(new Nimbus.Client(new TBinaryProtocol(ann)).getTopologySummaries())
                    .isEmpty();
        }
        try (TTransport peer = connection(port, "ann", "guess")) {
            assertThatThrownBy(peer::open).isInstanceOf(TTransportException.class);
        }
    }

    @Test
    void shouldLetUsersDoWithABlobWhatItsAccessListSays() throws Exception {
        conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        conf.put(LOGIN, Files.writeString(folder.resolve("jaas.conf"), """
                StormServer { org.apache.zookeeper.server.auth.DigestLoginModule required
                    user_ann="a" user_bob="b" user_root="r"; };
                """).toString());
        conf.put(Config.NIMBUS_ADMINS, List.of("root"));
        conf.put(Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED, true);
        NimbusPort port = openPort();
        try (TTransport anns = connection(port.address().getPort(), "ann", "a");
                TTransport bobs = connection(port.address().getPort(), "bob", "b");
                TTransport roots = connection(port.address().getPort(), "root", "r")) {
            Nimbus.Client ann = client(anns);
            Nimbus.Client bob = client(bobs);
            create(ann, "letters", List.of());
            create(ann, "notes", List.of(BlobStoreAclHandler.parseAccessControl("bob:r")));

            assertDenied(() -> bob.getBlobMeta("letters"), "[bob] does not have access to letters");
            assertDenied(() -> bob.beginBlobDownload("letters"), "[bob] does not have [READ ] access to letters");
            assertDenied(() -> bob.deleteBlob("letters"), "[bob] does not have [WRITE ] access to letters");
            assertDenied(() -> submitWith(bob, "letters"), "[bob] does not have [READ ] access to letters");
            bob.beginBlobDownload("notes");
            assertDenied(() -> bob.beginUpdateBlob("notes"), "[bob] does not have [WRITE ] access to notes");
            assertDenied(
                    () -> bob.setBlobMeta("notes", new SettableBlobMeta(BlobStoreAclHandler.WORLD_EVERYTHING)),
                    "[bob] does not have [ADMIN ] access to notes");

            ann.setBlobMeta("letters", new SettableBlobMeta(List.of(BlobStoreAclHandler.parseAccessControl("o::rw"))));
            bob.deleteBlob("letters");
            client(roots).deleteBlob("notes");
            assertThat(ann.listBlobs("").get_keys()).isEmpty();
            create(bob, "diary", List.of());
            assertDenied(() -> ann.getBlobMeta("diary"), "[ann] does not have access to diary");
            assertThat(LocalNimbus.of(cluster)
                            .getBlobMeta("diary")
                            .get_settable()
                            .get_acl())
                    .containsExactly(BlobStoreAclHandler.parseAccessControl("bob:rwa"));
        }
    }

    private static Nimbus.Client client(TTransport transport) throws TTransportException {
        transport.open();
        return new Nimbus.Client(new TBinaryProtocol(transport));
    }

    private static void create(Nimbus.Client client, String key, List<AccessControl> acl) throws TException {
        String session = client.beginCreateBlob(key, new SettableBlobMeta(acl));
        client.uploadBlobChunk(session, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        client.finishBlobUpload(session);
    }

    /** Sends a topology that has a blob as the jar that belongs to it. */
    private void submitWith(Nimbus.Client client, String key) throws Exception {
        StormTopology topology = RunningComponents.numbers();
        topology.add_to_dependency_jars(key);
        String location = client.beginFileUpload();
        client.finishFileUpload(location);
        client.submitTopology("reads", location, "{}", topology);
    }

    private static void assertDenied(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        AuthorizationException.class,
                        denied -> assertThat(denied.get_msg()).isEqualTo(message));
    }

    @Test
    void shouldLetEverybodyDoEverythingWithBlobsAsLongAsNobodyIsKnown() throws Exception {
        conf.put(Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED, true);
        NimbusPort port = openPort();
        try (TTransport first = new TFramedTransport(
                        new TSocket("localhost", port.address().getPort()));
                TTransport second = new TFramedTransport(
                        new TSocket("localhost", port.address().getPort()))) {
            create(client(first), "open", List.of(BlobStoreAclHandler.parseAccessControl("ann:r")));
            Nimbus.Client other = client(second);
            assertThat(other.getBlobMeta("open").get_settable().get_acl())
                    .containsAll(BlobStoreAclHandler.WORLD_EVERYTHING);
            other.deleteBlob("open");
        }
    }

    private static TTransport connection(int port, String user, String password)
            throws TTransportException, SaslException {
        CallbackHandler answers = callbacks -> {
            for (Callback callback : callbacks) {
                if (callback instanceof NameCallback name) {
                    name.setName(user);
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
                .hasMessageStartingWith("the port for NIMBUS is configured for '"
                        + KerberosSaslTransportPlugin.class.getName() + "', which is not supported");

        conf.put(Config.NIMBUS_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        assertThatThrownBy(this::openPort).hasMessageStartingWith("DigestSaslTransportPlugin needs passwords");

        conf.put(Config.NIMBUS_THRIFT_TRANSPORT_PLUGIN, SimpleTransportPlugin.class.getName());
        conf.put(Config.NIMBUS_THRIFT_TLS_PORT, 1);
        assertThatThrownBy(this::openPort)
                .hasMessage("TLS needs nimbus.thrift.tls.server.keystore.path and its password"
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
        keytool(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + (name.equals("server") ? "localhost" : name),
                "-keystore",
                file.toString());
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
