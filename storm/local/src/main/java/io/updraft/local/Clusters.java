package io.updraft.local;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.storm.LocalNimbus;
import io.updraft.storm.UpdraftCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.NotAliveException;

/** Access to the engines and counts of clusters, for test helpers. */
public final class Clusters {
    private Clusters() {}

    /**
     * {@return the UpdraftCluster that a cluster is, or the one behind a {@link org.apache.storm.LocalCluster}}
     *
     * @param cluster a cluster
     * @throws IllegalArgumentException when the cluster is of another type
     */
    public static UpdraftCluster behind(ILocalCluster cluster) {
        if (cluster instanceof UpdraftCluster updraft) {
            return updraft;
        }
        if (cluster instanceof LocalNimbus local && local.cluster() instanceof UpdraftCluster updraft) {
            return updraft;
        }
        throw new IllegalArgumentException(
                cluster.getClass().getName() + " is neither an UpdraftCluster nor a LocalCluster");
    }

    /**
     * {@return one of the counts of Storm's tracked topologies, over all topologies of a cluster}
     *
     * @param cluster the cluster
     * @param key {@code spout-emitted}, {@code transferred} or {@code processed}
     * @throws IllegalArgumentException for another key
     */
    public static int count(UpdraftCluster cluster, String key) {
        return switch (key) {
            case "spout-emitted" -> sum(cluster, each -> each.spout() ? each.emitted() : 0);
            case "transferred" -> sum(cluster, ComponentSnapshot::transferred);
            case "processed" -> sum(cluster, each -> each.spout() ? 0 : each.acked() + each.failed());
            default ->
                throw new IllegalArgumentException(
                        "there is no count '" + key + "'; the counts are spout-emitted, transferred, processed");
        };
    }

    /**
     * {@return the engines of the topologies of a cluster that have not ended}
     *
     * @param cluster the cluster
     */
    public static List<TopologyEngine> engines(UpdraftCluster cluster) {
        List<TopologyEngine> engines = new ArrayList<>();
        for (String name : cluster.topologyNames()) {
            try {
                engines.add(cluster.engine(name));
            } catch (NotAliveException e) {
                // The topology has ended meanwhile. No caller waits for it, so its counts are left out.
                continue;
            }
        }
        return engines;
    }

    private static int sum(UpdraftCluster cluster, ToLongFunction<ComponentSnapshot> count) {
        return (int) engines(cluster).stream()
                .flatMap(engine -> engine.snapshot().components().stream())
                .mapToLong(count)
                .sum();
    }
}
