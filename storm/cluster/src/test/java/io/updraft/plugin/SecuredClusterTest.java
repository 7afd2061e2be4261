package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.cli.UpdraftProcess;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.blobstore.AtomicOutputStream;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updraft's workers on a cluster with Kerberos, ACLs in ZooKeeper, credentials that are renewed, and ACLs of blobs. */
@Tag("long")
final class SecuredClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private static Path directory;

    @AutoClose
    private static SecuredCluster secured;

    private static StormCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        UserAccounts.enter(directory);
        secured = new SecuredCluster(directory);
        cluster = secured.cluster();
    }

    @Test
    void shouldAskNimbusWithTheTokensOfTheTopologyAndFollowItsCredentials() throws Exception {
        Path records = submit("tickets", SecuredCluster.OWNER, Map.of());
        WorkerRecords.await(cluster, records, "nimbus");
        WorkerRecords.await(cluster, records, "acked");
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
        WorkerRecords.await(cluster, records, "acked");
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
    void shouldNameTheNodeThatAWorkerMayNotReadAndEnd() throws Exception {
        Path records = submit("refused", SecuredCluster.OWNER, Map.of());
        WorkerRecords.await(cluster, records, "acked");
        StormWorkerProcess worker = cluster.workers("refused").get(0);
        String node = "/credentials/" + worker.topologyId();
        secured.giveToAnother("/storm" + node);
        cluster.await(
                "a running worker to name the node",
                LIMIT,
                () -> logOf(worker)
                        .contains("could not read the topology's credentials; retrying: ZooKeeper refuses " + node));
        worker.kill();
        String line = "the worker cannot run: ZooKeeper refuses " + node + " to this worker (NoAuth;";
        cluster.await(
                "a new worker to name the node", LIMIT, () -> logOf(worker).contains(line));
        cluster.await(
                "the new worker to end",
                LIMIT,
                () -> cluster.workers("refused").stream().noneMatch(each -> each.port() == worker.port()));
        assertThat(logOf(worker)
                        .lines()
                        .dropWhile(each -> !each.contains(line))
                        .skip(1)
                        .limit(1))
                .as("what follows the line")
                .noneMatch(next -> next.contains("Exception"));
        cluster.kill("refused");
    }

    @Test
    void shouldStartAWorkerWithoutNimbus() throws Exception {
        Path records = submit("alone", SecuredCluster.OWNER, Map.of());
        WorkerRecords.await(cluster, records, "acked");
        cluster.await(
                "the worker of the bolt",
                LIMIT,
                () -> cluster.workerOf("alone", "probe").isPresent());
        StormWorkerProcess worker = cluster.workerOf("alone", "probe").orElseThrow();
        cluster.killDaemon("nimbus");
        worker.kill();
        cluster.await(
                "the bolt to start again",
                LIMIT,
                () -> WorkerRecords.read(records, "user").size() > 1);
        int acked = WorkerRecords.read(records, "acked").size();
        cluster.startDaemon("nimbus");
        cluster.await(
                "messages to be acked by the new worker",
                LIMIT,
                () -> WorkerRecords.read(records, "acked").size() > acked);
        cluster.await("Nimbus to answer", LIMIT, () -> cluster.topology("alone").isPresent());
        cluster.kill("alone");
    }

    private static String logOf(StormWorkerProcess worker) {
        Path log = cluster.home()
                .resolve("logs/workers-artifacts/" + worker.topologyId() + "/" + worker.port() + "/worker.log");
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseAUserWithoutTicket() {
        assertThatThrownBy(() -> submit("stranger", SecuredCluster.STRANGER, Map.of()))
                .isInstanceOf(StormClusterException.class)
                .hasMessageContaining("LoginException");
    }

    @Test
    void shouldServeTheConsoleWithTheRightsOfItsUser() throws Exception {
        UpdraftProcess owner = console(SecuredCluster.OWNER, secured.realm());
        UpdraftProcess other = console(SecuredCluster.OTHER, secured.realm());
        UpdraftProcess stranger = console(SecuredCluster.STRANGER, secured.realm());
        try {
            ConsoleClient page = ConsoleClient.of(owner);
            submit("shown", SecuredCluster.OWNER, Map.of());
            cluster.await("the topology", LIMIT, () -> page.get("overview").contains("\"shown\""));
            String order = "{\"topology\":\"shown\"}";
            assertThat(ConsoleClient.of(other).post("deactivate", order))
                    .containsAnyOf("Nimbus does not permit this", "there is no topology 'shown'");

            assertThat(stranger.awaitExit()).isOne();
            assertThat(stranger.err())
                    .singleElement()
                    .asString()
                    .contains("cannot be used: the login fails: ", "LoginException");
            assertThat(page.post("activate", order)).contains("is active");
        } finally {
            for (UpdraftProcess console : List.of(owner, other)) {
                console.signal("TERM");
                console.awaitExit();
            }
            cluster.kill("shown");
        }
    }

    private static UpdraftProcess console(String user, Path realm) throws IOException {
        return UpdraftProcess.startWith(
                List.of("-Djava.security.krb5.conf=" + realm),
                Files.createDirectories(directory.resolve("console-of-" + user)),
                "ui",
                "--ui-port=0",
                "--config",
                secured.configurationOf(user).toString());
    }

    @Test
    void shouldGiveABlobToItsOwnerOnly() throws Exception {
        store("secret-blob", "only for its owner");
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_BLOBSTORE_MAP,
                Map.of("secret-blob", Map.of("localname", SecuredTopology.BLOB_NAME, "uncompress", false)));
        Path records = submit("owner", SecuredCluster.OWNER, conf);
        WorkerRecords.await(cluster, records, "blob");
        assertThat(WorkerRecords.read(records, "blob")).containsOnly("only for its owner");
        cluster.kill("owner");
        assertThatThrownBy(() -> submit("other", SecuredCluster.OTHER, conf))
                .isInstanceOf(StormClusterException.class)
                .hasMessageContaining("secret-blob");
    }

    @Test
    void shouldRunWorkersUnderTheAccountOfTheUserAndLeaveNothing() throws Exception {
        Optional<String> missing = UserAccounts.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        Path records = submit("account", SecuredCluster.OWNER, Map.of());
        WorkerRecords.await(cluster, records, "acked");
        List<StormWorkerProcess> workers = cluster.workers("account");
        assertThat(workers).hasSize(2).noneMatch(StormWorkerProcess::isStock);
        for (StormWorkerProcess worker : workers) {
            assertThat(Files.getOwner(Path.of("/proc/" + worker.process().pid())))
                    .hasToString(SecuredCluster.OWNER);
            Path artifacts =
                    cluster.home().resolve("logs/workers-artifacts/" + worker.topologyId() + "/" + worker.port());
            for (String file : List.of("worker.log", "worker.pid", "updraft.start")) {
                assertThat(artifacts.resolve(file)).isNotEmptyFile();
                assertThat(Files.getOwner(artifacts.resolve(file))).hasToString(SecuredCluster.OWNER);
                assertThat(Files.getPosixFilePermissions(artifacts.resolve(file)))
                        .as("the Supervisor's group reads %s", file)
                        .contains(PosixFilePermission.GROUP_READ)
                        .doesNotContain(PosixFilePermission.OTHERS_READ);
            }
        }
        assertThat(WorkerRecords.read(records, "user")).containsOnly(SecuredCluster.OWNER);
        assertThat(WorkerRecords.read(records, "others-file")).allMatch(read -> read.contains("AccessDenied"));
        cluster.kill("account");
        cluster.await(
                "no directory of a worker to be left",
                LIMIT,
                () -> leftBy(workers).isEmpty());
        assertThat(cluster.workerProcesses()).isEmpty();
    }

    /** The files in the Supervisors' directories that name a worker or its topology. */
    private static List<Path> leftBy(List<StormWorkerProcess> workers) {
        try (Stream<Path> files = Files.walk(cluster.home().resolve("local"))) {
            return files.filter(file -> workers.stream()
                            .anyMatch(worker -> file.getFileName().toString().equals(worker.id())
                                    || file.endsWith("stormdist/" + worker.topologyId())))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(directory); // a directory has gone during the walk
        }
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
        Path records = UserAccounts.give(user, Files.createDirectory(directory.resolve(name)));
        UserAccounts.give(
                SecuredCluster.OTHER,
                Files.writeString(records.resolve(SecuredTopology.OTHERS_FILE), "only for another"));
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
