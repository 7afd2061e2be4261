package io.updraft.kafka.zookeeper;

import io.updraft.kafka.unit.AssignedUnit;
import io.updraft.kafka.unit.TransactionalIds;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
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

/** The units whose locks a life of this process has in ZooKeeper, with the state of their znodes. The coordinator's thread. */
final class AcquiredUnits {

    private static final long ANSWER_MILLIS = 5_000;

    private final ZooKeeperSession session;
    private final ZooKeeperSettings settings;
    private final TransactionalIds ids;
    private final UnitClusters clusters;
    private final Map<WorkUnit, UnitNode> nodes = new TreeMap<>();
    private final List<WorkUnit> starting = new ArrayList<>();
    private final Map<WorkUnit, String> reasons = new HashMap<>();
    /** The partitions of each unit when it was assigned. */
    private final Map<WorkUnit, List<UnitPartition>> partitionsByUnit = new TreeMap<>();
    /** Units whose znode was written without an answer, so that its version may have advanced. */
    private final Set<WorkUnit> unsure = new HashSet<>();

    AcquiredUnits(ZooKeeperSession session, ZooKeeperSettings settings, TransactionalIds ids, UnitClusters clusters) {
        this.session = session;
        this.settings = settings;
        this.ids = ids;
        this.clusters = clusters;
    }

    /**
     * Returns the allocated units without those that have got partitions since they were assigned. Those are released and
     * acquired again with all partitions.
     */
    Collection<WorkUnit> unchanged(Collection<WorkUnit> allocated) throws Exception {
        List<WorkUnit> unchanged = new ArrayList<>();
        for (WorkUnit unit : allocated) {
            List<UnitPartition> its = partitionsByUnit.get(unit);
            if (its == null || clusters.partitionsOf(unit).size() <= its.size()) {
                unchanged.add(unit);
            }
        }
        return unchanged;
    }

    void acquire(Collection<WorkUnit> allocated) throws Exception {
        for (WorkUnit unit : allocated) {
            if (!nodes.containsKey(unit)) {
                UnitNode taken = session.acquire(unit);
                if (taken != null) {
                    nodes.put(unit, taken);
                    starting.add(unit);
                    reasons.put(unit, reason(taken));
                }
            }
        }
    }

    private String reason(UnitNode taken) {
        return taken.unfencedOwners().isEmpty()
                ? "the leader of group " + settings.group() + " has given it to this process"
                : "its owner " + String.join(", ", taken.unfencedOwners()) + " has died or has not released it in time";
    }

    /** Fences dead former owners of the acquired units, and reads the committed positions. Returns the units to assign. */
    List<AssignedUnit> start() throws Exception {
        List<AssignedUnit> started = new ArrayList<>();
        if (starting.isEmpty()) {
            return started;
        }
        fenceDeadOwners();
        Map<WorkUnit, UnitProgress> progress = clusters.positions(starting, nodes);
        for (WorkUnit unit : starting) {
            UnitOwnership ownership = new UnitOwnership(unit, nodes.get(unit).epoch());
            List<UnitPartition> its = clusters.partitionsOf(unit);
            partitionsByUnit.put(unit, its);
            started.add(new AssignedUnit(ownership, its, progress.get(unit), reasons.get(unit)));
        }
        return started;
    }

    void started() {
        starting.clear();
    }

    private void fenceDeadOwners() throws Exception {
        Map<WorkUnit, UnitNode> fenced = new TreeMap<>();
        SortedSet<String> dead = new TreeSet<>();
        for (WorkUnit unit : starting) {
            if (!nodes.get(unit).unfencedOwners().isEmpty()) {
                dead.addAll(nodes.get(unit).unfencedOwners());
                fenced.put(unit, nodes.get(unit).fenced());
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
        for (WorkUnit unit : fenced.keySet()) {
            verify(unit);
        }
        write(fenced);
    }

    /** Writes the progress of units to their znodes, and shows it to tools. */
    void commit(List<UnitCommit> commits) throws Exception {
        Map<WorkUnit, UnitNode> changed = new HashMap<>();
        for (UnitCommit one : commits) {
            WorkUnit unit = one.ownership().unit();
            verify(unit);
            changed.put(unit, nodes.get(unit).with(one.progress()));
        }
        write(changed);
        clusters.copyToConsumerOffsets(commits);
    }

    private void write(Map<WorkUnit, UnitNode> changed) throws Exception {
        unsure.addAll(changed.keySet());
        session.write(changed);
        unsure.removeAll(changed.keySet());
        nodes.putAll(changed);
    }

    /** Reads the version of a znode that was written without an answer. Ends the lease if the unit has changed hands. */
    private void verify(WorkUnit unit) throws Exception {
        if (unsure.contains(unit) && !session.refresh(unit, nodes.get(unit).epoch())) {
            session.lease().end();
            throw new KeeperException.SessionExpiredException();
        }
        unsure.remove(unit);
    }

    /** Marks a unit whose commit may be in flight while it is released, so that the next owner fences this process first. */
    void markOverdue(WorkUnit unit) {
        nodes.computeIfPresent(unit, (same, node) -> node.overdue());
    }

    void release(WorkUnit unit) throws Exception {
        UnitNode node = nodes.get(unit);
        boolean released = node == null || unsure.contains(unit) && !session.refresh(unit, node.epoch());
        if (!released) {
            unsure.add(unit);
            session.release(unit, node);
        }
        unsure.remove(unit);
        nodes.remove(unit);
        partitionsByUnit.remove(unit);
    }
}
