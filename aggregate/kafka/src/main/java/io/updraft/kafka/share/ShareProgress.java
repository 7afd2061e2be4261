package io.updraft.kafka.share;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The progress of a share.
 *
 * @param positions the next offset by partition; a partition that is absent was never committed
 * @param metadata the application's metadata of the share, at most {@value #MAX_METADATA} characters; empty if there is none
 * @param details the application's metadata of a partition, which belongs to its position; together with that of the share at
 *     most {@value #MAX_METADATA} printable characters. A partition without any is absent
 */
public record ShareProgress(
        Map<ClusterPartition, Long> positions, String metadata, Map<ClusterPartition, String> details) {

    /** The default limit of brokers ({@code offset.metadata.max.bytes} is 4096), less the metadata that coordinators add. */
    public static final int MAX_METADATA = 2048;

    /** The progress of a share without commits. */
    public static final ShareProgress NONE = new ShareProgress(Map.of(), "");

    /** Copies the positions and the details. */
    public ShareProgress {
        positions = Collections.unmodifiableMap(new TreeMap<>(positions));
        details = Collections.unmodifiableMap(new TreeMap<>(details));
        int length = metadata.length()
                + details.values().stream().mapToInt(String::length).max().orElse(0);
        if (length > MAX_METADATA) {
            throw new IllegalArgumentException(
                    "The metadata of a commit may have at most " + MAX_METADATA + " characters, not " + length + ".");
        }
    }

    /** Creates progress without details. */
    public ShareProgress(Map<ClusterPartition, Long> positions, String metadata) {
        this(positions, metadata, Map.of());
    }

    /**
     * Applies a later commit to this progress.
     *
     * @param later positions that replace those of the same partition, with their details, and metadata that replaces the
     *     metadata
     */
    public ShareProgress then(ShareProgress later) {
        Map<ClusterPartition, Long> both = new TreeMap<>(positions);
        both.putAll(later.positions);
        Map<ClusterPartition, String> details = new TreeMap<>(this.details);
        details.keySet().removeAll(later.positions.keySet());
        details.putAll(later.details);
        return new ShareProgress(both, later.metadata, details);
    }
}
