package io.updraft.plugin;

import static java.util.Map.entry;

import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.storm.shade.org.apache.curator.retry.RetryOneTime;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;
import org.apache.storm.shade.org.apache.zookeeper.data.Id;
import org.apache.storm.shade.org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** A cluster whose daemons and users log in by Kerberos. Its users are {@link #OWNER} and {@link #OTHER}. */
final class SecuredCluster implements AutoCloseable {
    static final String OWNER = "games";
    static final String OTHER = "news";
    /** A user whose key the KDC does not know. */
    static final String STRANGER = "stranger";

    private static final String SUPER = "secret";
    private static final String LOGIN = "java.security.auth.login.config";
    private static final String REALM = "java.security.krb5.conf";
    private static final String DAEMONS = "storm";

    private final Path directory;
    private final Kerberos kerberos;
    private final int port;
    private final StormCluster cluster;
    private final Map<String, String> properties = new HashMap<>();

    SecuredCluster(Path directory) throws Exception {
        this.directory = directory;
        port = freePort();
        kerberos = new Kerberos(Files.createDirectory(directory.resolve("kerberos")), freePort());
        Path daemons = daemonLogins();
        Path zooKeeper = write(
                "zookeeper",
                Kerberos.login("Server", "zookeeper/localhost", kerberos.keytab("zookeeper/localhost"), Map.of()));
        login(OWNER);
        login(OTHER);
        write(STRANGER, Files.readString(loginOf(OTHER)).replace(OTHER, STRANGER));
        set(REALM, kerberos.configuration().toString());
        cluster = builder(daemons, zooKeeper).start();
        openParents();
        UserAccounts.enter(cluster.home());
    }

    /** A section for each role that a daemon has. */
    private Path daemonLogins() throws IOException, KrbException {
        Path user = kerberos.keytab(DAEMONS);
        Path service = kerberos.keytab(DAEMONS + "/localhost");
        return write(
                DAEMONS,
                Kerberos.login("StormServer", DAEMONS + "/localhost", service, Map.of())
                        + Kerberos.login("StormClient", DAEMONS, user, Map.of("serviceName", DAEMONS))
                        + Kerberos.login("Client", DAEMONS, user, Map.of("serviceName", "zookeeper")));
    }

    private void login(String user) throws IOException, KrbException {
        write(user, Kerberos.login("StormClient", user, kerberos.keytab(user), Map.of("serviceName", DAEMONS)));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(loginOf(name), text);
    }

    private Path loginOf(String user) {
        return directory.resolve(user + ".jaas");
    }

    private void set(String property, String value) {
        properties.put(property, System.setProperty(property, value));
    }

    private StormClusterBuilder builder(Path daemons, Path zooKeeper) throws IOException, NoSuchAlgorithmException {
        String kerberosPlugin = "org.apache.storm.security.auth.kerberos.KerberosSaslTransportPlugin";
        String autoTgt = "org.apache.storm.security.auth.kerberos.AutoTGT";
        Map<String, Object> keys = Map.ofEntries(
                entry(LOGIN, daemons.toString()),
                entry(Config.STORM_THRIFT_TRANSPORT_PLUGIN, kerberosPlugin),
                entry("supervisor.thrift.transport", kerberosPlugin),
                entry(
                        Config.STORM_PRINCIPAL_TO_LOCAL_PLUGIN,
                        "org.apache.storm.security.auth.KerberosPrincipalToLocal"),
                entry(Config.STORM_ZOOKEEPER_PORT, port),
                entry(Config.STORM_ZOOKEEPER_SUPERACL, "sasl:" + DAEMONS),
                // Otherwise a Nimbus that starts again closes the nodes that openParents has opened.
                entry("storm.nimbus.zookeeper.acls.check", false),
                entry("storm.nimbus.zookeeper.acls.fixup", false),
                entry(Config.NIMBUS_ADMINS, List.of(DAEMONS)),
                entry(Config.NIMBUS_SUPERVISOR_USERS, List.of(DAEMONS)),
                entry("nimbus.daemon.users", List.of(DAEMONS)),
                entry("nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer"),
                entry(
                        "supervisor.authorizer",
                        "org.apache.storm.security.auth.authorizer.SupervisorSimpleACLAuthorizer"),
                entry("storm.blobstore.acl.validation.enabled", true),
                entry(Config.TOPOLOGY_AUTO_CREDENTIALS, List.of(autoTgt)),
                entry(Config.NIMBUS_CREDENTIAL_RENEWERS, List.of(autoTgt)),
                entry("nimbus.credential.renewers.freq.secs", 2),
                entry("nimbus.topology.blobstore.deletion.delay.ms", 1_000),
                entry("supervisor.localizer.cleanup.interval.ms", 5_000),
                entry(Config.TASK_CREDENTIALS_POLL_SECS, 1));
        StormClusterBuilder builder = PluginClusters.builder();
        keys.forEach(builder::config);
        if (UserAccounts.missing().isEmpty()) {
            builder.config(Config.SUPERVISOR_RUN_WORKER_AS_USER, true)
                    .config(
                            Config.SUPERVISOR_WORKER_LAUNCHER,
                            UserAccounts.launcher(directory).toString());
        }
        String login = "-D" + LOGIN + "=";
        return builder.zooKeeper("authProvider.1="
                        + "org.apache.storm.shade.org.apache.zookeeper.server.auth.SASLAuthenticationProvider\n"
                        + "kerberos.removeHostFromPrincipal=true\nkerberos.removeRealmFromPrincipal=true\n")
                .jvm(
                        "zookeeper",
                        kerberos.option(),
                        login + zooKeeper,
                        "-Dzookeeper.DigestAuthenticationProvider.superDigest="
                                + DigestAuthenticationProvider.generateDigest("super:" + SUPER))
                .jvm("nimbus", kerberos.option(), login + daemons)
                .jvm("supervisor", kerberos.option(), login + daemons)
                .jvm("client", kerberos.option());
    }

    /**
     * Lets all read the nodes above those of the topologies. Since 3.8.4 and 3.9.2, ZooKeeper tells whether a node exists only to
     * those who may read the node, and Storm's state, which creates these nodes for daemons only, asks that first.
     */
    private void openParents() throws Exception {
        try (CuratorFramework zooKeeper = connect("super:" + SUPER)) {
            List<String> parents = new ArrayList<>(List.of("/storm"));
            zooKeeper.getChildren().forPath("/storm").forEach(child -> parents.add("/storm/" + child));
            for (String parent : parents) {
                List<ACL> acl = new ArrayList<>(zooKeeper.getACL().forPath(parent));
                acl.add(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
                zooKeeper.setACL().withACL(acl).forPath(parent);
            }
        }
    }

    /** Sets the ACL of a node in ZooKeeper to that of another topology's node: daemons and another secret. */
    void giveToAnother(String node) throws Exception {
        try (CuratorFramework zooKeeper = connect("super:" + SUPER)) {
            Id another = new Id("digest", DigestAuthenticationProvider.generateDigest("another:secret"));
            zooKeeper
                    .setACL()
                    .withACL(List.of(
                            new ACL(ZooDefs.Perms.ALL, new Id("sasl", DAEMONS)), new ACL(ZooDefs.Perms.ALL, another)))
                    .forPath(node);
        }
    }

    /** Connects to ZooKeeper with a name and a password. */
    CuratorFramework connect(String password) {
        CuratorFramework zooKeeper = CuratorFrameworkFactory.builder()
                .connectString("localhost:" + port)
                .authorization("digest", password.getBytes(StandardCharsets.UTF_8))
                .retryPolicy(new RetryOneTime(1_000))
                .build();
        zooKeeper.start();
        return zooKeeper;
    }

    /** Returns the configuration of the realm. */
    Path realm() {
        return kerberos.configuration();
    }

    /** Returns such a configuration for tickets that are valid for seconds. */
    Path shortLived() throws IOException {
        return kerberos.shortLived();
    }

    StormCluster cluster() {
        return cluster;
    }

    /** Returns a user's {@code storm.yaml}, which names the user's own login. */
    Path configurationOf(String user) throws IOException {
        String daemons = Files.readString(cluster.home().resolve("conf/client.yaml"));
        return Files.writeString(
                directory.resolve(user + ".yaml"),
                daemons.replace(loginOf(DAEMONS).toString(), loginOf(user).toString()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws KrbException {
        if (cluster != null) {
            cluster.close();
        }
        kerberos.close();
        properties.forEach((key, value) -> {
            if (value == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
    }
}
