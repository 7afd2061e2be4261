package io.updraft.kafka.share;

import java.util.Map;
import java.util.TreeMap;

/**
 * Stores positions of other clusters in the transaction of one cluster. They go into the metadata of its offsets, before the
 * application's metadata.
 */
final class ForeignPositions {

    private ForeignPositions() {}

    /** Moves the positions of other clusters into the metadata. */
    static Share.Progress pack(String home, Share.Progress positions) {
        Map<ClusterPartition, Long> here = new TreeMap<>();
        Map<ClusterPartition, String> details = new TreeMap<>(positions.details());
        StringBuilder text = new StringBuilder();
        positions.positions().forEach((partition, next) -> {
            if (partition.cluster().equals(home)) {
                here.put(partition, next);
            } else {
                text.append(partition.line(positions));
                details.remove(partition);
            }
        });
        if (here.isEmpty()) {
            throw new IllegalArgumentException("a commit in a transaction of cluster " + home
                    + " must contain a position of that cluster, but contains only " + positions + "");
        }
        return new Share.Progress(
                here, text.append('\n').append(positions.metadata()).toString(), details);
    }

    static Share.Progress unpack(Share.Progress packed) {
        Map<ClusterPartition, Long> positions = new TreeMap<>(packed.positions());
        Map<ClusterPartition, String> details = new TreeMap<>(packed.details());
        String rest = packed.metadata();
        while (!rest.isEmpty() && !rest.startsWith("\n")) {
            int end = rest.indexOf('\n');
            ClusterPartition.readLine(rest.substring(0, end), positions, details);
            rest = rest.substring(end + 1);
        }
        return new Share.Progress(positions, rest.isEmpty() ? "" : rest.substring(1), details);
    }
}
