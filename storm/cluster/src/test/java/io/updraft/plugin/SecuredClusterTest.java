package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import io.updraft.stormcluster.StormWorkerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.blobstore.AtomicOutputStream;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updraft's workers on a cluster with Kerberos, ACLs in ZooKeeper, credentials that are renewed, and ACLs of blobs. */
@Tag("long")
final class SecuredClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private static Path directory;

    private static SecuredCluster secured;
    private static StormCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        secured = new SecuredCluster(directory);
        cluster = secured.cluster();
    }

    @AfterAll
    static void stop() throws Exception {
        if (secured != null) {
            secured.close();
        }
    }

    @Test
    void shouldAskNimbusWithTheTokensOfTheTopologyAndFollowItsCredentials() throws Exception {
        Path records = submit("tickets", SecuredCluster.OWNER, Map.of());
        cluster.await(
                "Nimbus to answer a bolt",
                LIMIT,
                () -> !WorkerRecords.read(records, "nimbus").isEmpty());
        cluster.await(
                "messages to be acked",
                LIMIT,
                () -> !WorkerRecords.read(records, "acked").isEmpty());
        assertThat(WorkerRecords.read(records, "nimbus")).containsOnly("leader localhost");
        assertThat(WorkerRecords.read(records, "ticket-probe")).allMatch(ticket -> ticket.startsWith("games@"));
        assertThat(cluster.workers("tickets")).hasSize(2).noneMatch(StormWorkerProcess::isStock);

        Map<String, Object> owner = confOf(SecuredCluster.OWNER);
        StormSubmitter.pushCredentials("tickets", owner, new HashMap<>(Map.of("acme", "1")));
        for (String component : List.of("source", "probe")) {
            cluster.await(
                    "new credentials of " + component,
                    LIMIT,
                    () -> WorkerRecords.read(records, "credentials-" + component).stream()
                            .anyMatch(keys -> keys.contains("acme")));
        }
        int answers = WorkerRecords.read(records, "nimbus").size();
        cluster.await(
                "Nimbus to answer with new tokens",
                LIMIT,
                () -> WorkerRecords.read(records, "nimbus").size() > answers + 2);
        assertThat(WorkerRecords.read(records, "nimbus")).containsOnly("leader localhost");
        cluster.kill("tickets");
    }

    @Test
    void shouldFollowTicketsThatNimbusRenews() throws Exception {
        Path records = submit(
                "renewed", SecuredCluster.OWNER, Map.of(), secured.shortLived().toString());
        for (String component : List.of("source", "probe")) {
            cluster.await(
                    "a renewed ticket of " + component,
                    LIMIT,
                    () -> new HashSet<>(WorkerRecords.read(records, "ticket-" + component)).size() > 1);
        }
        cluster.kill("renewed");
    }

    @Test
    void shouldHideTheTopologyInZooKeeperFromOthers() throws Exception {
        Path records = submit("hidden", SecuredCluster.OWNER, Map.of());
        cluster.await(
                "messages to be acked",
                LIMIT,
                () -> !WorkerRecords.read(records, "acked").isEmpty());
        String id = cluster.workers("hidden").get(0).topologyId();
        try (CuratorFramework stranger = secured.connect("stranger:guess")) {
            for (String parent : List.of("credentials", "assignments", "storms", "workerbeats")) {
                assertThatThrownBy(() -> stranger.getData().forPath("/storm/" + parent + "/" + id))
                        .as(parent)
                        .isInstanceOf(KeeperException.NoAuthException.class);
            }
        }
        cluster.kill("hidden");
    }

    @Test
    void shouldRefuseAUserWithoutTicket() {
        assertThatThrownBy(() -> submit("stranger", SecuredCluster.STRANGER, Map.of()))
                .isInstanceOf(StormClusterException.class)
                .hasMessageContaining("LoginException");
    }

    @Test
    void shouldGiveABlobToItsOwnerOnly() throws Exception {
        store("secret-blob", "only for its owner");
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_BLOBSTORE_MAP,
                Map.of("secret-blob", Map.of("localname", SecuredTopology.BLOB_NAME, "uncompress", false)));
        Path records = submit("owner", SecuredCluster.OWNER, conf);
        cluster.await(
                "the blob", LIMIT, () -> !WorkerRecords.read(records, "blob").isEmpty());
        assertThat(WorkerRecords.read(records, "blob")).containsOnly("only for its owner");
        cluster.kill("owner");
        assertThatThrownBy(() -> submit("other", SecuredCluster.OTHER, conf))
                .isInstanceOf(StormClusterException.class)
                .hasMessageContaining("secret-blob");
    }

    private static void store(String key, String text) throws Exception {
        Map<String, Object> conf = confOf(SecuredCluster.OWNER);
        try (ClientBlobStore blobs = Utils.getClientBlobStore(conf)) {
            SettableBlobMeta meta =
                    new SettableBlobMeta(List.of(BlobStoreAclHandler.parseAccessControl("u:games:rwa")));
            try (AtomicOutputStream out = blobs.createBlob(key, meta)) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static Map<String, Object> confOf(String user) throws Exception {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(Utils.findAndReadConfigFile(secured.configurationOf(user).toString(), true));
        return conf;
    }

    private static Path submit(String name, String user, Map<String, Object> conf, String... more) throws Exception {
        Path records = Files.createDirectory(directory.resolve(name));
        Map<String, Object> all = new HashMap<>(conf);
        all.put(UpdraftKeys.ENABLED, true);
        cluster.submit(
                Jars.pack(Jars.of(SecuredTopology.class), directory.resolve(name + ".jar")),
                SecuredTopology.class.getName(),
                all,
                name,
                records.toString(),
                secured.configurationOf(user).toString(),
                more.length == 0 ? secured.realm().toString() : more[0]);
        return records;
    }
}
