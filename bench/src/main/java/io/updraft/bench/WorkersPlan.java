package io.updraft.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The part of a request about worker processes.
 *
 * @param count the number of workers; 1 for a run in one process
 * @param all whether {@code --transport all} was given; a transport that cannot run on this machine is then left out without an
 *     error
 * @param onStormCluster whether Updraft's workers on a Storm cluster are also measured
 */
record WorkersPlan(int count, List<String> transports, boolean all, boolean onStormCluster) {

    static final WorkersPlan NONE = new WorkersPlan(1, List.of(""), false, false);

    boolean several() {
        return count > 1;
    }

    /**
     * Returns the sides to measure, in the order of a round.
     *
     * @param peers the runtimes that Updraft is compared with
     */
    List<BenchSide> sides(Set<BenchSide> peers) {
        List<BenchSide> sides = new ArrayList<>(List.of(BenchSide.UPDRAFT));
        if (onStormCluster) {
            sides.add(BenchSide.UPDRAFT_ON_STORM);
        }
        peers.stream().sorted().forEach(sides::add);
        return sides;
    }

    /** {@return the transports of a side to measure, in the order of a round; empty text for a side without a choice} */
    List<String> transports(BenchSide side) {
        return side.isUpdraft() ? transports : List.of("");
    }
}
