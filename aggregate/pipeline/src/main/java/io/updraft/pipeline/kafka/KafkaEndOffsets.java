package io.updraft.pipeline.kafka;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.kafka.reader.OutageLog;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.ClusterTopics;
import io.updraft.pipeline.connector.SourceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Requests the end offsets of the partitions from the clusters. An answer also shows that the clusters and the topics exist. An
 * unavailable cluster is asked again until it answers. A lasting failure, such as a missing topic or a wrong password, is
 * reported at once. A thread of its own sends the requests; the methods are for the thread that uses the source.
 */
final class KafkaEndOffsets implements AutoCloseable {

    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 500;

    private final List<ClusterTopics> clusters;
    private final Duration giveUp;
    private final CompletableFuture<Map<ClusterPartition, Long>> ends = new CompletableFuture<>();
    private final Thread thread = DaemonThreads.create("updraft-kafka-ends", this::run);

    /** Starts the requests. A cluster may be without an answer for {@code giveUp}; null for no limit. */
    KafkaEndOffsets(List<ClusterTopics> clusters, Duration giveUp) {
        this.clusters = clusters;
        this.giveUp = giveUp;
        thread.start();
    }

    /**
     * Returns the answers, without waiting.
     *
     * @return the end offset of each partition at the time of the request; null as long as a cluster has not answered
     */
    Map<ClusterPartition, Long> poll() throws SourceException {
        try {
            return ends.getNow(null);
        } catch (CompletionException e) {
            throw new SourceException(e.getCause().getMessage(), e.getCause());
        }
    }

    private void run() {
        try {
            Map<ClusterPartition, Long> all = new HashMap<>();
            for (ClusterTopics cluster : clusters) {
                all.putAll(ask(cluster));
            }
            ends.complete(all);
        } catch (SourceException | RuntimeException | Error e) {
            ends.completeExceptionally(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<ClusterPartition, Long> ask(ClusterTopics cluster) throws SourceException, InterruptedException {
        String servers = "Kafka at " + cluster.properties().get("bootstrap.servers");
        String where = "topics " + cluster.topics() + " of " + servers;
        OutageLog outage = new OutageLog(servers, Duration.ZERO);
        long since = System.nanoTime();
        try (Admin admin = Admin.create(properties(cluster))) {
            while (true) {
                try {
                    Map<ClusterPartition, Long> found = ask(admin, cluster);
                    outage.end();
                    return found;
                } catch (ExecutionException | TimeoutException e) {
                    Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
                    if (!isPassing(cause)) {
                        throw new SourceException(where + " cannot be read: " + cause.getMessage(), cause);
                    }
                    if (isOver(since)) {
                        throw new SourceException(where + " cannot be read within 'give_up': " + reason(cause), cause);
                    }
                    outage.report(reason(cause));
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (KafkaException e) {
            Throwable root = e.getCause() == null ? e : e.getCause();
            throw new SourceException(where + " cannot be read: " + root.getMessage(), e);
        }
    }

    private boolean isOver(long since) {
        return giveUp != null && System.nanoTime() - since >= giveUp.toNanos();
    }

    /** Limits the time of a request, so that the return of a cluster is noticed soon. */
    private Map<String, Object> properties(ClusterTopics cluster) {
        int answer = (int) (giveUp == null ? ANSWER : least(ANSWER, giveUp)).toMillis();
        Map<String, Object> properties = new HashMap<>(cluster.properties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, answer);
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (answer + 1) / 2);
        properties.putIfAbsent(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return properties;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean isPassing(Throwable cause) {
        boolean unknown = cause instanceof UnknownTopicOrPartitionException;
        return cause instanceof TimeoutException || cause instanceof RetriableException && !unknown;
    }

    private static Map<ClusterPartition, Long> ask(Admin admin, ClusterTopics cluster)
            throws ExecutionException, TimeoutException, InterruptedException {
        long limit = 2 * ANSWER.toMillis();
        Map<String, TopicDescription> topics =
                admin.describeTopics(cluster.topics()).allTopicNames().get(limit, TimeUnit.MILLISECONDS);
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        topics.forEach((topic, description) -> description
                .partitions()
                .forEach(
                        partition -> asked.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest())));
        Map<ClusterPartition, Long> ends = new HashMap<>();
        admin.listOffsets(asked)
                .all()
                .get(limit, TimeUnit.MILLISECONDS)
                .forEach((partition, end) -> ends.put(
                        new ClusterPartition(cluster.name(), partition.topic(), partition.partition()), end.offset()));
        return ends;
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? "no answer for " + ANSWER.toSeconds() + " s" : cause.getMessage();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
