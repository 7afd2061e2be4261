package io.updraft.kafka.unit;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The progress of a unit.
 *
 * @param positions the next offset by partition; a partition that is absent was never committed
 * @param metadata the application's metadata, at most {@value #MAX_METADATA} characters; empty if there is none
 */
public record UnitProgress(Map<UnitPartition, Long> positions, String metadata) {

    /** The default limit of brokers ({@code offset.metadata.max.bytes} is 4096), less the metadata that coordinators add. */
    public static final int MAX_METADATA = 2048;

    /** The progress of a unit without commits. */
    public static final UnitProgress NONE = new UnitProgress(Map.of(), "");

    /** Copies the positions. */
    public UnitProgress {
        positions = Collections.unmodifiableMap(new TreeMap<>(positions));
        if (metadata.length() > MAX_METADATA) {
            throw new IllegalArgumentException("The metadata of a commit may have at most " + MAX_METADATA
                    + " characters, not " + metadata.length() + ".");
        }
    }

    /**
     * Applies a later commit to this progress.
     *
     * @param later positions that replace those of the same partition, and metadata that replaces the metadata
     */
    public UnitProgress then(UnitProgress later) {
        Map<UnitPartition, Long> both = new TreeMap<>(positions);
        both.putAll(later.positions);
        return new UnitProgress(both, later.metadata);
    }
}
