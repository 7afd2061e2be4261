package io.updraft.kafka.units;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a unit has come.
 *
 * @param positions the offset to read next, by partition; a partition that is not named was never committed
 * @param metadata what the application keeps with them, at most {@value #MAX_METADATA} characters; empty if nothing
 */
public record Progress(Map<UnitPartition, Long> positions, String metadata) {

    /** What a broker takes as it is shipped ({@code offset.metadata.max.bytes} is 4096), less what coordinators add. */
    public static final int MAX_METADATA = 2048;

    /** Nothing was committed yet. */
    public static final Progress NONE = new Progress(Map.of(), "");

    /** Copies the positions. */
    public Progress {
        positions = Collections.unmodifiableMap(new TreeMap<>(positions));
        if (metadata.length() > MAX_METADATA) {
            throw new IllegalArgumentException("The metadata of a commit may have " + MAX_METADATA + " characters, not "
                    + metadata.length() + ".");
        }
    }

    /**
     * This progress, and what a later commit adds to it.
     *
     * @param later positions that replace those of the same partition, and metadata that replaces this
     * @return both, where they differ the later
     */
    public Progress then(Progress later) {
        Map<UnitPartition, Long> both = new TreeMap<>(positions);
        both.putAll(later.positions);
        return new Progress(both, later.metadata);
    }
}
