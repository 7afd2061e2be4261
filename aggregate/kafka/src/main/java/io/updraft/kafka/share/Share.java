package io.updraft.kafka.share;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one process owns of several: one partition index. Share 7 is partition 7 of every topic in every cluster that is
 * read. Where producers spread keys over all topics in the same way, all records of a key are in one share.
 *
 * @param index the partition index, from 0
 */
public record Share(int index) implements Comparable<Share> {

    /** Checks the index. */
    public Share {
        if (index < 0) {
            throw new IllegalArgumentException("the index of a share must not be negative: " + index + "");
        }
    }

    @Override
    public int compareTo(Share other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return "share " + index;
    }

    /**
     * The ownership of a share by one process, from its assignment until it is revoked or lost. Later owners of the same share have
     * greater epochs. The epoch thus orders the actions of owners, and distinguishes a former owner from the current one.
     *
     * @param share the share
     * @param epoch the fencing token, which grows with each ownership of this share
     */
    public record Ownership(Share share, long epoch) {

        @Override
        public String toString() {
            return share + " in epoch " + epoch;
        }
    }

    /**
     * The progress of a share.
     *
     * @param positions the next offset by partition; a partition that is absent was never committed
     * @param metadata the application's metadata of the share, at most {@value #MAX_METADATA} characters; empty if there is none
     * @param details the application's metadata of a partition, which belongs to its position; together with that of the share at
     *     most {@value #MAX_METADATA} printable characters. A partition without any is absent
     */
    public record Progress(
            Map<ClusterPartition, Long> positions, String metadata, Map<ClusterPartition, String> details) {

        /** The default limit of brokers ({@code offset.metadata.max.bytes} is 4096), less the metadata that coordinators add. */
        public static final int MAX_METADATA = 2048;

        /** The progress of a share without commits. */
        public static final Progress NONE = new Progress(Map.of(), "");

        /** Copies the positions and the details. */
        public Progress {
            positions = Collections.unmodifiableMap(new TreeMap<>(positions));
            details = Collections.unmodifiableMap(new TreeMap<>(details));
            int length = metadata.length()
                    + details.values().stream().mapToInt(String::length).max().orElse(0);
            if (length > MAX_METADATA) {
                throw new IllegalArgumentException(
                        "the metadata of a commit may have at most " + MAX_METADATA + " characters, not " + length);
            }
        }

        /** Creates progress without details. */
        public Progress(Map<ClusterPartition, Long> positions, String metadata) {
            this(positions, metadata, Map.of());
        }

        /**
         * Applies a later commit to this progress.
         *
         * @param later positions that replace those of the same partition, with their details, and metadata that replaces the
         *     metadata
         */
        public Progress then(Progress later) {
            Map<ClusterPartition, Long> both = new TreeMap<>(positions);
            both.putAll(later.positions);
            Map<ClusterPartition, String> details = new TreeMap<>(this.details);
            details.keySet().removeAll(later.positions.keySet());
            details.putAll(later.details);
            return new Progress(both, later.metadata, details);
        }
    }

    /**
     * A share that this process owns from now on.
     *
     * @param ownership the ownership to name in each commit
     * @param partitions the partitions of the share
     * @param progress the progress of the last commit by any owner
     * @param reason why this process owns it now, as far as that is known, in one line
     */
    public record Assigned(Ownership ownership, List<ClusterPartition> partitions, Progress progress, String reason) {

        /** Copies the partitions. */
        public Assigned {
            partitions = List.copyOf(partitions);
        }

        /** Returns the share. */
        public Share share() {
            return ownership.share();
        }
    }

    /**
     * A commit of a share's progress by its owner. Partitions that are not named keep their positions.
     *
     * @param ownership the ownership of the share
     * @param progress positions (the next offset to read) and metadata
     */
    public record Commit(Ownership ownership, Progress progress) {}
}
