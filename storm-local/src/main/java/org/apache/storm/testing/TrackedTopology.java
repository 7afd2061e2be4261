package org.apache.storm.testing;

import io.updraft.engine.TopologyEngine;
import io.updraft.local.Clusters;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.List;
import org.apache.storm.ILocalCluster;
import org.apache.storm.Testing;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Time;

/**
 * Waits until what spouts have emitted is processed: every tuple executed, and acks and fails told to the spouts. The engine's
 * own counts serve for it, so that the topology is run unchanged. As in Storm the counts are those of all topologies of the
 * cluster, a bolt may hold on to tuples without acking them, and simulated time goes on while it waits. Where time is not
 * simulated, it waits for the whole tuple trees.
 */
public class TrackedTopology {
    /**
     * Steps of simulated time between the last tuple and the end of a wait, each seen by every thread of the topologies: for
     * acks on their way, of which there is no count.
     */
    private static final int SETTLING_STEPS = 5;

    private final StormTopology topology;
    private final UpdraftCluster cluster;
    private long awaited;

    /** Steps of time since the counts last changed. */
    private int steps;

    private List<Integer> counts = List.of();

    /**
     * Creates the tracker of a topology.
     *
     * @param topology what will be submitted to the cluster
     * @param cluster the cluster
     * @throws IllegalArgumentException when it is neither an {@link UpdraftCluster} nor a {@link org.apache.storm.LocalCluster}
     */
    public TrackedTopology(StormTopology topology, ILocalCluster cluster) {
        this.topology = topology;
        this.cluster = Clusters.behind(cluster);
    }

    /** {@return the topology, to submit} */
    public StormTopology getTopology() {
        return topology;
    }

    /** {@return the cluster} */
    public ILocalCluster getCluster() {
        return cluster;
    }

    /** Waits until one tuple more of a spout is processed whole. */
    public void trackedWait() {
        trackedWait(1);
    }

    /**
     * Waits until so many more tuples of spouts are processed whole.
     *
     * @param amount how many spouts emit from the last wait on
     */
    public void trackedWait(int amount) {
        trackedWait(amount, Testing.TEST_TIMEOUT_MS);
    }

    /**
     * Waits until so many more tuples of spouts are processed whole.
     *
     * @param amount how many spouts emit from the last wait on
     * @param timeoutMs how long to wait, milliseconds of real time
     * @throws AssertionError when it takes longer; the message has the counts
     */
    public void trackedWait(int amount, int timeoutMs) {
        long target = awaited + amount;
        steps = 0;
        Testing.whileTimeout(timeoutMs, () -> !isDone(target), this::passTime);
        awaited = target;
    }

    /**
     * One of Storm's counts.
     *
     * @param key {@code spout-emitted}, {@code transferred} or {@code processed}
     * @return the count over all topologies of the cluster
     * @throws IllegalArgumentException for another key
     */
    public int globalAmt(String key) {
        return Clusters.count(cluster, key);
    }

    private boolean isDone(long target) {
        if (globalAmt("spout-emitted") < target
                || !Clusters.engines(cluster).stream().allMatch(this::isQuiet)) {
            steps = 0;
            return false;
        }
        return !Time.isSimulating() || hasSettled();
    }

    private boolean isQuiet(TopologyEngine engine) {
        try {
            Duration moment = Duration.ofMillis(1);
            return Time.isSimulating() ? engine.awaitExecuted(moment) : engine.awaitIdle(moment);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Whether nothing was counted in some steps of time. */
    private boolean hasSettled() {
        List<Integer> seen = List.of(globalAmt("spout-emitted"), globalAmt("transferred"), globalAmt("processed"));
        if (!seen.equals(counts)) {
            counts = seen;
            steps = 0;
        }
        return steps >= SETTLING_STEPS;
    }

    private void passTime() {
        try {
            if (Time.isSimulating()) {
                cluster.advanceClusterTime(1);
                steps++;
            }
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
