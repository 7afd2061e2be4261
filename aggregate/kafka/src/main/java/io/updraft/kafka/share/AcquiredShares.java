package io.updraft.kafka.share;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;

/** The shares whose locks a life of this process has in ZooKeeper, with the state of their znodes. The coordinator's thread. */
final class AcquiredShares {

    private static final long ANSWER_MILLIS = 5_000;

    private final ZooKeeperSession session;
    private final ZooKeeperSettings settings;
    private final TransactionalIds ids;
    private final ShareClusters clusters;
    private final Map<Share, ShareNode> nodes = new TreeMap<>();
    private final List<Share> starting = new ArrayList<>();
    private final Map<Share, String> reasons = new HashMap<>();
    /** The partitions of each share when it was assigned. */
    private final Map<Share, List<ClusterPartition>> partitionsByShare = new TreeMap<>();
    /** Shares whose znode was written without an answer, so that its version may have advanced. */
    private final Set<Share> unsure = new HashSet<>();

    AcquiredShares(ZooKeeperSession session, ZooKeeperSettings settings, TransactionalIds ids, ShareClusters clusters) {
        this.session = session;
        this.settings = settings;
        this.ids = ids;
        this.clusters = clusters;
    }

    /**
     * Returns the allocated shares without those that have got partitions since they were assigned. Those are released and
     * acquired again with all partitions.
     */
    Collection<Share> unchanged(Collection<Share> allocated) throws Exception {
        List<Share> unchanged = new ArrayList<>();
        for (Share share : allocated) {
            List<ClusterPartition> sharePartitions = partitionsByShare.get(share);
            if (sharePartitions == null || clusters.partitionsOf(share).size() <= sharePartitions.size()) {
                unchanged.add(share);
            }
        }
        return unchanged;
    }

    void acquire(Collection<Share> allocated) throws Exception {
        for (Share share : allocated) {
            if (!nodes.containsKey(share)) {
                ShareNode taken = session.acquire(share);
                if (taken != null) {
                    nodes.put(share, taken);
                    starting.add(share);
                    reasons.put(share, reason(taken));
                }
            }
        }
    }

    private String reason(ShareNode taken) {
        return taken.unfencedOwners().isEmpty()
                ? "the leader of group " + settings.group() + " has given it to this process"
                : "its owner " + String.join(", ", taken.unfencedOwners()) + " has died or has not released it in time";
    }

    /** Fences dead former owners of the acquired shares, and reads the committed positions. Returns the shares to assign. */
    List<Share.Assigned> start() throws Exception {
        List<Share.Assigned> started = new ArrayList<>();
        if (starting.isEmpty()) {
            return started;
        }
        fenceDeadOwners();
        Map<Share, Share.Progress> progress = clusters.positions(starting, nodes);
        for (Share share : starting) {
            Share.Ownership ownership =
                    new Share.Ownership(share, nodes.get(share).epoch());
            List<ClusterPartition> sharePartitions = clusters.partitionsOf(share);
            partitionsByShare.put(share, sharePartitions);
            started.add(new Share.Assigned(ownership, sharePartitions, progress.get(share), reasons.get(share)));
        }
        return started;
    }

    void started() {
        starting.clear();
    }

    private void fenceDeadOwners() throws Exception {
        Map<Share, ShareNode> fenced = new TreeMap<>();
        SortedSet<String> dead = new TreeSet<>();
        for (Share share : starting) {
            if (!nodes.get(share).unfencedOwners().isEmpty()) {
                dead.addAll(nodes.get(share).unfencedOwners());
                fenced.put(share, nodes.get(share).fenced());
            }
        }
        if (fenced.isEmpty()) {
            return;
        }
        if (settings.transactions().isPresent()) {
            ids.fence(
                    clusters.admin(settings.home().name()),
                    dead.stream().map(ids::of).toList(),
                    ANSWER_MILLIS);
        }
        for (Share share : fenced.keySet()) {
            verify(share);
        }
        write(fenced);
    }

    /** Writes the progress of shares to their znodes, and shows it to tools. */
    void commit(List<Share.Commit> commits) throws Exception {
        Map<Share, ShareNode> changed = new HashMap<>();
        for (Share.Commit commit : commits) {
            Share share = commit.ownership().share();
            verify(share);
            changed.put(share, nodes.get(share).with(commit.progress()));
        }
        write(changed);
        clusters.copyToConsumerOffsets(commits);
    }

    private void write(Map<Share, ShareNode> changed) throws Exception {
        unsure.addAll(changed.keySet());
        session.write(changed);
        unsure.removeAll(changed.keySet());
        nodes.putAll(changed);
    }

    /** Reads the version of a znode that was written without an answer. Ends the lease if the share has changed hands. */
    private void verify(Share share) throws Exception {
        if (unsure.contains(share) && !session.refresh(share, nodes.get(share).epoch())) {
            session.lease().end();
            throw new KeeperException.SessionExpiredException();
        }
        unsure.remove(share);
    }

    /** Marks a share whose commit may be in flight while it is released, so that the next owner fences this process first. */
    void markOverdue(Share share) {
        nodes.computeIfPresent(share, (same, node) -> node.overdue());
    }

    void release(Share share) throws Exception {
        ShareNode node = nodes.get(share);
        boolean released = node == null || unsure.contains(share) && !session.refresh(share, node.epoch());
        if (!released) {
            unsure.add(share);
            session.release(share, node);
        }
        unsure.remove(share);
        nodes.remove(share);
        partitionsByShare.remove(share);
    }
}
