package io.updraft.kafka.share;

import java.util.Comparator;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition of one topic in one cluster. A share consists of such partitions.
 *
 * @param cluster the cluster's name in the configuration
 * @param topic the topic
 * @param partition the partition index, which is also the index of its share
 */
public record ClusterPartition(String cluster, String topic, int partition) implements Comparable<ClusterPartition> {

    private static final Comparator<ClusterPartition> ORDER = Comparator.comparing(ClusterPartition::cluster)
            .thenComparing(ClusterPartition::topic)
            .thenComparingInt(ClusterPartition::partition);

    /** Returns the topic and partition, as Kafka's clients name it. */
    public TopicPartition topicPartition() {
        return new TopicPartition(topic, partition);
    }

    /** Returns the position in this partition, and its details if there are any, as a line of text. */
    public String line(Share.Progress progress) {
        String detail = progress.details().get(this);
        return cluster + "\t" + topic + "\t" + partition + "\t"
                + progress.positions().get(this) + (detail == null ? "" : "\t" + detail) + "\n";
    }

    /** Reads a line without its end into maps of positions and details. Older versions wrote no details. */
    public static void readLine(
            String line, Map<ClusterPartition, Long> positions, Map<ClusterPartition, String> details) {
        String[] words = line.split("\t");
        ClusterPartition partition = new ClusterPartition(words[0], words[1], Integer.parseInt(words[2]));
        positions.put(partition, Long.parseLong(words[3]));
        if (words.length > 4) {
            details.put(partition, words[4]);
        }
    }

    @Override
    public int compareTo(ClusterPartition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return cluster + "/" + topic + "-" + partition;
    }
}
