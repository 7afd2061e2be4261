package org.apache.storm.testing;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.local.Clusters;
import io.updraft.local.TestWait;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.List;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Time;

/**
 * Waits until the tuples of spouts are processed: every tuple is executed, and the spouts have received all acks and fails. The
 * wait uses the engine's own counts, so that the topology runs unchanged. As in Storm, the counts include all topologies of the
 * cluster, a bolt may hold tuples without acking them, and simulated time advances during the wait. In real time, the wait is
 * for complete tuple trees.
 */
public class TrackedTopology {
    /**
     * The number of steps of simulated time between the last change of a count and the end of a wait. Every thread of the
     * topologies reads each step. The steps give acks in flight, which have no count, time to arrive.
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
     * @param topology the topology to submit to the cluster
     * @param cluster the cluster
     * @throws IllegalArgumentException when the cluster is neither an {@link UpdraftCluster} nor a {@link
     *     org.apache.storm.LocalCluster}
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

    /** Waits until one more tuple of a spout is processed completely. */
    public void trackedWait() {
        trackedWait(1);
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param amount the number of tuples that spouts emit from the end of the last wait on
     */
    public void trackedWait(int amount) {
        trackedWait(amount, TestWait.TIMEOUT_MS);
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param amount the number of tuples that spouts emit from the end of the last wait on
     * @param timeoutMs the maximum time, in milliseconds of real time
     * @throws AssertionError when the wait takes longer
     */
    public void trackedWait(int amount, int timeoutMs) {
        long target = awaited + amount;
        steps = 0;
        TestWait.whileTimeout(timeoutMs, () -> !isDone(target), this::passTime);
        awaited = target;
    }

    /**
     * {@return one of Storm's counts, over all topologies of the cluster}
     *
     * @param key {@code spout-emitted}, {@code transferred} or {@code processed}
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
        Duration moment = Duration.ofMillis(1);
        return TestWait.waiting(() -> Time.isSimulating() ? engine.awaitExecuted(moment) : engine.awaitIdle(moment));
    }

    private boolean hasSettled() {
        List<Integer> seen = List.of(globalAmt("spout-emitted"), globalAmt("transferred"), globalAmt("processed"));
        if (!seen.equals(counts)) {
            counts = seen;
            steps = 0;
        }
        return steps >= SETTLING_STEPS;
    }

    private void passTime() {
        TestWait.waiting(() -> {
            if (Time.isSimulating()) {
                cluster.advanceClusterTime(1);
                steps++;
            }
            Thread.sleep(1);
            return null;
        });
    }
}
