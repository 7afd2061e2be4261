package io.updraft.kafka.reader;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;

/** What the fetches of a broker's partitions have reached, and when the broker answered last. The broker reader's thread. */
final class FetchProgress {

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** When the broker answered last, or when there was nothing to fetch, nanoseconds. */
    private volatile long answeredAt = System.nanoTime();

    private Consumer<?, ?> consumer;
    private Metric fetches;
    private double fetchesSeen;
    private long updatedAt;

    void follow(Consumer<?, ?> consumer) {
        this.consumer = consumer;
        // Kafka's consumer offers no other way to tell a silent broker from one without new records.
        fetches = consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("fetch-total"))
                .map(Map.Entry::getValue)
                .findAny()
                .orElse(null);
    }

    /** Returns how long the broker has not answered a fetch although there was something to fetch. Any thread. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - answeredAt);
    }

    void idle() {
        answeredAt = System.nanoTime();
    }

    void update(Collection<AssignedPartition> partitions) {
        long now = System.nanoTime();
        if (now - updatedAt <= INTERVAL_NANOS) {
            return;
        }
        updatedAt = now;
        double seen = fetches == null ? fetchesSeen + 1 : (double) fetches.metricValue();
        boolean answered = seen != fetchesSeen;
        fetchesSeen = seen;
        partitions.forEach(partition -> update(partition, answered));
        if (answered || partitions.stream().allMatch(AssignedPartition::isFull)) {
            answeredAt = now;
        }
    }

    private void update(AssignedPartition partition, boolean answered) {
        OptionalLong lag = consumer.currentLag(partition.id);
        partition.unfetched = lag.orElse(-1);
        if (lag.isPresent()) {
            updatePosition(partition);
        }
        if (answered) {
            partition.answers++;
        }
    }

    private void updatePosition(AssignedPartition partition) {
        try {
            partition.position = consumer.position(partition.id, Duration.ZERO);
        } catch (TimeoutException e) {
            // The position is being validated with a new leader; the next round updates it.
        }
    }
}
