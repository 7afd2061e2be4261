package io.updraft.kafka.zookeeper;

import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores positions of other clusters in the transaction of one cluster. They go into the metadata of its offsets, before the
 * application's metadata.
 */
final class ForeignPositions {

    private ForeignPositions() {}

    /** Moves the positions of other clusters into the metadata. */
    static UnitProgress pack(String home, UnitProgress all) {
        Map<UnitPartition, Long> here = new TreeMap<>();
        Map<UnitPartition, String> details = new TreeMap<>(all.details());
        StringBuilder text = new StringBuilder();
        all.positions().forEach((partition, next) -> {
            if (partition.cluster().equals(home)) {
                here.put(partition, next);
            } else {
                text.append(partition.line(all));
                details.remove(partition);
            }
        });
        if (here.isEmpty()) {
            throw new IllegalArgumentException("A commit in a transaction of cluster " + home
                    + " must contain a position of that cluster, but contains only " + all + ".");
        }
        return new UnitProgress(here, text.append('\n').append(all.metadata()).toString(), details);
    }

    static UnitProgress unpack(UnitProgress packed) {
        Map<UnitPartition, Long> all = new TreeMap<>(packed.positions());
        Map<UnitPartition, String> details = new TreeMap<>(packed.details());
        String rest = packed.metadata();
        while (!rest.isEmpty() && !rest.startsWith("\n")) {
            int end = rest.indexOf('\n');
            UnitPartition.readLine(rest.substring(0, end), all, details);
            rest = rest.substring(end + 1);
        }
        return new UnitProgress(all, rest.isEmpty() ? "" : rest.substring(1), details);
    }
}
