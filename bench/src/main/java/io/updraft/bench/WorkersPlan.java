package io.updraft.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured between worker processes.
 *
 * @param count how many workers; 1 for a run in one process
 * @param transports the names of Updraft's transports that are compared
 * @param all whether they are all that there are: one that cannot run here is left out then, and is not an error
 * @param transferBuffers the sizes of the transfer buffer that are compared, in bytes; 0 for the default
 * @param onStormCluster whether Updraft's workers on a Storm cluster are measured, too
 */
record WorkersPlan(
        int count, List<String> transports, boolean all, List<Integer> transferBuffers, boolean onStormCluster) {

    static final WorkersPlan NONE = new WorkersPlan(1, List.of(""), false, List.of(0), false);

    boolean several() {
        return count > 1;
    }

    /** Whether the size of the transfer buffer is what figures show. */
    boolean sweepsBuffers() {
        return transferBuffers.size() > 1;
    }

    /** {@return the sides that are measured, in turn} */
    List<Side> sides(boolean vsStorm) {
        List<Side> sides = new ArrayList<>(List.of(Side.UPDRAFT));
        if (onStormCluster) {
            sides.add(Side.UPDRAFT_ON_STORM);
        }
        if (vsStorm) {
            sides.add(Side.STORM);
        }
        return sides;
    }

    /** {@return what is measured of a side, in turn} */
    List<Variant> variants(Side side) {
        List<String> names = side == Side.STORM ? List.of("") : transports;
        return transferBuffers.stream()
                .flatMap(buffer -> names.stream().map(name -> new Variant(name, buffer)))
                .toList();
    }
}
