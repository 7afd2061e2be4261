package io.updraft.kafka.share;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * One session with ZooKeeper, which is one life of a member. The znodes of a group are:
 *
 * <pre>
 *   leader/...           Curator's latch: the member that writes the allocation
 *   members/NAME         ephemeral: a live member, with its description
 *   allocation           the intended owner of each share: one line "unit member" for each share
 *   units/N              epoch, owner, whether the owner has released the share, progress
 *   locks/N              ephemeral: the owner of the share; created and deleted together with changes of units/N
 * </pre>
 *
 * Every answer renews the lease. Used by the coordinator's thread; watchers call {@code wake} on ZooKeeper's thread.
 */
final class ZooKeeperSession implements AutoCloseable {

    final String member = UUID.randomUUID().toString();
    private final String base;
    private final CuratorFramework client;
    private final LeaderLatch latch;
    private final Runnable wake;
    private final Map<Share, Integer> versions = new HashMap<>();
    private final MemberNodes peers;
    private SessionLease lease;

    ZooKeeperSession(ZooKeeperSettings settings, Runnable wake) {
        this.base = settings.path() + "/" + settings.group();
        this.wake = wake;
        int session = Math.toIntExact(settings.session().toMillis());
        this.client = CuratorFrameworkFactory.builder()
                .connectString(settings.connect())
                .sessionTimeoutMs(session)
                .connectionTimeoutMs(Math.max(100, session / 12))
                // The coordinator retries, because it checks the lease between attempts.
                .retryPolicy(new RetryNTimes(0, 1))
                .build();
        this.peers = new MemberNodes(client, base + "/members", member, settings);
        this.latch = new LeaderLatch(client, base + "/leader", member, LeaderLatch.CloseMode.SILENT);
    }

    /** Connects and registers the member. Returns false if there was no connection within 2 s. */
    boolean connect() throws Exception {
        client.start();
        if (!client.blockUntilConnected(2, TimeUnit.SECONDS)) {
            return false;
        }
        long sent = System.nanoTime();
        for (String child : List.of("members", "units", "locks", "allocation")) {
            ensure(base + "/" + child);
        }
        Duration negotiated =
                Duration.ofMillis(client.getZookeeperClient().getZooKeeper().getSessionTimeout());
        lease = new SessionLease(negotiated, System::nanoTime);
        lease.renew(sent);
        client.watchers()
                .add()
                .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                .usingWatcher((org.apache.zookeeper.Watcher) event -> {
                    // Commits change units/N all the time and do not concern other members.
                    if (event.getPath() == null || !event.getPath().startsWith(base + "/units/")) {
                        wake.run();
                    }
                })
                .forPath(base);
        peers.awaitEndOfDiffering();
        client.create().withMode(CreateMode.EPHEMERAL).forPath(base + "/members/" + member, peers.description());
        peers.checkEarlier();
        latch.start();
        return true;
    }

    private void ensure(String path) throws Exception {
        try {
            client.create().creatingParentsIfNeeded().forPath(path, new byte[0]);
        } catch (KeeperException.NodeExistsException e) {
            // Another member created the znode first.
        }
    }

    SessionLease lease() {
        return lease;
    }

    private <T> T ask(Callable<T> question) throws Exception {
        long sent = System.nanoTime();
        T answer = question.call();
        lease.renew(sent);
        return answer;
    }

    /** Renews the lease. Ends it if the server does not have this member any more. */
    void touch() throws Exception {
        if (ask(() -> client.checkExists().forPath(base + "/members/" + member)) == null) {
            lease.end();
        }
    }

    /** Does the same as {@link #touch} without waiting for the answer. Does nothing while there is no connection. */
    void touchInBackground() {
        long sent = System.nanoTime();
        try {
            client.checkExists()
                    .inBackground((c, event) -> {
                        if (event.getResultCode() == KeeperException.Code.OK.intValue()) {
                            lease.renew(sent);
                        } else if (event.getResultCode() == KeeperException.Code.NONODE.intValue()) {
                            lease.end();
                        }
                    })
                    .forPath(base + "/members/" + member);
        } catch (Exception e) {
            // The session is being closed and needs no renewal.
            lease.end();
        }
    }

    boolean leads() {
        return latch.hasLeadership();
    }

    /**
     * Writes the next allocation if it differs. Called by the leader. The version check rejects a leader that was replaced
     * meanwhile.
     */
    void allocate(int shares) throws Exception {
        List<String> members = ask(() -> client.getChildren().forPath(base + "/members"));
        Stat stat = new Stat();
        Map<Integer, String> present = readAllocation(stat);
        Map<Integer, String> next = ShareAllocation.next(shares, members, present);
        if (!next.equals(present)) {
            StringBuilder text = new StringBuilder();
            next.forEach((share, owner) ->
                    text.append(share).append(' ').append(owner).append('\n'));
            byte[] written = text.toString().getBytes(StandardCharsets.US_ASCII);
            ask(() -> client.setData().withVersion(stat.getVersion()).forPath(base + "/allocation", written));
        }
    }

    private Map<Integer, String> readAllocation(Stat stat) throws Exception {
        byte[] text = ask(() -> client.getData().storingStatIn(stat).forPath(base + "/allocation"));
        Map<Integer, String> owners = new TreeMap<>();
        new String(text, StandardCharsets.US_ASCII)
                .lines()
                .map(line -> line.split(" "))
                .forEach(words -> owners.put(Integer.parseInt(words[0]), words[1]));
        return owners;
    }

    SortedSet<Share> allocated() throws Exception {
        SortedSet<Share> shares = new TreeSet<>();
        readAllocation(new Stat()).forEach((share, owner) -> {
            if (owner.equals(member)) {
                shares.add(new Share(share));
            }
        });
        return shares;
    }

    /** Returns whether there are more members than shares, and this member has none: each share has an owner of its own. */
    boolean isSurplus() throws Exception {
        Map<Integer, String> owners = readAllocation(new Stat());
        Set<String> distinct = new HashSet<>(owners.values());
        return !owners.isEmpty() && distinct.size() == owners.size() && !distinct.contains(member);
    }

    /** Returns the state of a share, whichever member holds it. */
    ShareNode read(Share share) throws Exception {
        try {
            return ShareNode.read(ask(() -> client.getData().forPath(node(share))));
        } catch (KeeperException.NoNodeException e) {
            return ShareNode.NEW;
        }
    }

    /** Acquires a share that no member holds; returns null if a member still holds it. */
    ShareNode acquire(Share share) throws Exception {
        ensure(node(share));
        Stat stat = new Stat();
        ShareNode before =
                ShareNode.read(ask(() -> client.getData().storingStatIn(stat).forPath(node(share))));
        if (before.held() && before.owner().equals(member)) {
            // Acquired by a request that got no answer.
            versions.put(share, stat.getVersion());
            return before;
        }
        ShareNode after = before.takenBy(member);
        List<CuratorOp> both = List.of(
                client.transactionOp()
                        .create()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(lock(share), member.getBytes(StandardCharsets.US_ASCII)),
                client.transactionOp().setData().withVersion(stat.getVersion()).forPath(node(share), after.written()));
        try {
            ask(() -> client.transaction().forOperations(both));
        } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
            return null;
        }
        versions.put(share, stat.getVersion() + 1);
        return after;
    }

    void release(Share share, ShareNode node) throws Exception {
        List<CuratorOp> both = List.of(
                client.transactionOp().delete().forPath(lock(share)),
                client.transactionOp()
                        .setData()
                        .withVersion(versions.get(share))
                        .forPath(node(share), node.released().written()));
        ask(() -> client.transaction().forOperations(both));
        versions.remove(share);
    }

    /** Writes all nodes or none. Fails with BadVersion if a share has changed hands. */
    void write(Map<Share, ShareNode> nodes) throws Exception {
        List<CuratorOp> operations = new ArrayList<>();
        for (Map.Entry<Share, ShareNode> one : nodes.entrySet()) {
            operations.add(client.transactionOp()
                    .setData()
                    .withVersion(versions.get(one.getKey()))
                    .forPath(node(one.getKey()), one.getValue().written()));
        }
        ask(() -> client.transaction().forOperations(operations));
        nodes.keySet().forEach(share -> versions.merge(share, 1, Integer::sum));
    }

    /** Reads the version again after a write with unknown outcome. Returns false if the share has changed hands. */
    boolean refresh(Share share, long epoch) throws Exception {
        Stat stat = new Stat();
        ShareNode now =
                ShareNode.read(ask(() -> client.getData().storingStatIn(stat).forPath(node(share))));
        versions.put(share, stat.getVersion());
        return now.owner().equals(member) && now.epoch() == epoch && now.held();
    }

    private String node(Share share) {
        return base + "/units/" + share.index();
    }

    private String lock(Share share) {
        return base + "/locks/" + share.index();
    }

    /** Ends the session. Its ephemeral znodes go at once if the server is reachable. */
    @Override
    public void close() {
        if (lease != null) {
            lease.end();
        }
        client.close();
    }
}
