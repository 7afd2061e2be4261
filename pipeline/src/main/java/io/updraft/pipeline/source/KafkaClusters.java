package io.updraft.pipeline.source;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.GroupCoordinator;
import io.updraft.kafka.units.GroupSettings;
import io.updraft.kafka.units.UnitPartition;
import io.updraft.kafka.units.UnitsCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Opens sources of Kafka. */
public final class KafkaClusters {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    private KafkaClusters() {}

    /** Who shares out the partitions of a source among the processes of its group; to be given to {@link #open}, which joins. */
    public static Coordinator coordinator(SourceSpec.Kafka spec) throws SourceException {
        if (spec.zookeeper() != null || spec.clusters().size() > 1) {
            throw new SourceException("units that span clusters need ZooKeeper, which pipelines cannot use yet");
        }
        return new GroupCoordinator(GroupSettings.of(of(spec).get(0), spec.group()));
    }

    /**
     * Opens a source, and joins its group.
     *
     * @param coordinator who shares out its partitions; closed with the source
     * @param idle after how long without a record a partition is told to be idle; zero for never
     * @throws SourceException when a cluster or a topic cannot be reached
     */
    public static Source open(SourceSpec.Kafka spec, Coordinator coordinator, Duration idle, LongSupplier clock)
            throws SourceException {
        Map<UnitPartition, Long> ends = new HashMap<>();
        for (UnitsCluster cluster : of(spec)) {
            ends.putAll(ends(cluster));
        }
        return new KafkaSource(spec, coordinator, spec.toEnd() ? ends : Map.of(), idle, clock);
    }

    static List<UnitsCluster> of(SourceSpec.Kafka spec) {
        List<UnitsCluster> clusters = new ArrayList<>();
        for (Map<String, String> client : spec.clusters()) {
            clusters.add(new UnitsCluster("cluster-" + clusters.size(), Map.copyOf(client), spec.topics()));
        }
        return clusters;
    }

    /** Where each partition ends now. That it can be asked shows that the cluster and the topics are there. */
    private static Map<UnitPartition, Long> ends(UnitsCluster cluster) throws SourceException {
        String where =
                "topics " + cluster.topics() + " at " + cluster.properties().get("bootstrap.servers");
        try (Admin admin = Admin.create(cluster.properties())) {
            Map<String, TopicDescription> topics = admin.describeTopics(cluster.topics())
                    .allTopicNames()
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            topics.forEach((topic, description) -> description
                    .partitions()
                    .forEach(partition ->
                            asked.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest())));
            Map<UnitPartition, Long> ends = new HashMap<>();
            admin.listOffsets(asked)
                    .all()
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .forEach((partition, end) -> ends.put(
                            new UnitPartition(cluster.name(), partition.topic(), partition.partition()), end.offset()));
            return ends;
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            throw new SourceException(where + " cannot be read: " + reason(cause), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException(where + " cannot be read: interrupted", e);
        }
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? "no answer for " + ANSWER.toSeconds() + " s" : cause.getMessage();
    }
}
