package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.Share;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A share of Kafka that this process owns, with the data to commit the positions of its partitions. Immutable except for its end. */
final class KafkaShare implements RecordSource.Ownership {

    /** The most characters of a time in milliseconds, sign included. */
    private static final int MAX_DIGITS = 20;

    private final Share.Ownership ownership;
    private final Map<String, ClusterPartition> partitions;
    /** A future that completes when no work on the partitions is left. */
    final CompletableFuture<Void> end = new CompletableFuture<>();
    /** The log of each partition that is read, by name. Written by the reading thread, read by the committing thread. */
    private final Map<String, LogIdentity> logs = new ConcurrentHashMap<>();

    KafkaShare(Share.Ownership ownership, Map<String, ClusterPartition> partitions) {
        this.ownership = ownership;
        this.partitions = Map.copyOf(partitions);
    }

    public Share.Ownership ownership() {
        return ownership;
    }

    /**
     * Returns the commit for the coordinator.
     *
     * @param commits commits of partitions of the share; a position below 0 means that nothing was read of the partition yet, and
     *     is left out
     * @return empty if nothing was read of any of the partitions yet
     */
    public Optional<Share.Commit> commit(Collection<PartitionPosition> commits) {
        Map<ClusterPartition, Long> offsets = new TreeMap<>();
        Map<ClusterPartition, String> details = new TreeMap<>();
        long closedUntil = Long.MIN_VALUE;
        for (PartitionPosition commit : commits) {
            if (commit.position() >= 0) {
                ClusterPartition partition = partitions.get(commit.partition());
                offsets.put(partition, commit.position());
                details.put(partition, detail(commit));
                closedUntil = Math.max(closedUntil, commit.closedUntil());
            }
        }
        return offsets.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Share.Commit(ownership, new Share.Progress(offsets, Long.toString(closedUntil), details)));
    }

    /** Returns the log and what fits of the handled rows. A row that does not fit counts as late when read again. */
    private String detail(PartitionPosition commit) {
        String log = logs.getOrDefault(commit.partition(), LogIdentity.NONE).text();
        return log + " " + commit.processed().text(Share.Progress.MAX_METADATA - MAX_DIGITS - log.length() - 1);
    }

    /** Records the log that a partition is read from. Its epoch may be newer than the one of the committed position. */
    void setLog(String partition, LogIdentity log) {
        logs.put(partition, log);
    }

    /** Returns the log of a partition from the progress that {@link #commit} has written. */
    static LogIdentity readLog(Share.Progress progress, ClusterPartition partition, String name) {
        String detail = progress.details().get(partition);
        return LogIdentity.parse(detail == null ? formerWord(progress, name, '@') : detail.split(" ")[0]);
    }

    /** Returns the commit of a partition from the progress that {@link #commit} has written; without windows for any other. */
    static PartitionPosition read(Share.Progress progress, ClusterPartition partition, String name, long position) {
        try {
            String detail = progress.details().get(partition);
            String seen = detail == null ? formerWord(progress, name, '=') : detail.substring(detail.indexOf(' ') + 1);
            long closedUntil = Long.parseLong(progress.metadata().split(" ")[0]);
            return new PartitionPosition(name, position, closedUntil, ProcessedRanges.parse(seen));
        } catch (IllegalArgumentException e) {
            return new PartitionPosition(name, position, Long.MIN_VALUE);
        }
    }

    /** Returns what older versions stored of a partition in the share's metadata, under a hash of its name; empty if nothing. */
    private static String formerWord(Share.Progress progress, String name, char kind) {
        String mark = Integer.toHexString(name.hashCode()) + kind;
        String found = "";
        for (String word : progress.metadata().split(" ")) {
            found = word.startsWith(mark) ? word.substring(mark.length()) : found;
        }
        return found;
    }

    boolean isReleased() {
        return end.isDone();
    }

    @Override
    public void released() {
        end.complete(null);
    }
}
