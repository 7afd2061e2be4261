package io.updraft.bench.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The part of a request about worker processes.
 *
 * @param count the number of workers; 1 for a run in one process
 * @param transports the names of the Updraft transports to compare
 * @param all whether {@code --transport all} was given; a transport that cannot run on this machine is then left out without an
 *     error
 * @param transferBuffers the transfer buffer sizes to compare, in bytes; 0 for the default
 * @param onStormCluster whether Updraft's workers on a Storm cluster are also measured
 */
public record WorkersPlan(
        int count, List<String> transports, boolean all, List<Integer> transferBuffers, boolean onStormCluster) {

    public static final WorkersPlan NONE = new WorkersPlan(1, List.of(""), false, List.of(0), false);

    public boolean several() {
        return count > 1;
    }

    /** Whether several buffer sizes are measured, so that figures show results over the buffer size. */
    public boolean sweepsBuffers() {
        return transferBuffers.size() > 1;
    }

    /**
     * Returns the sides to measure, in the order of a round.
     *
     * @param peers the runtimes that Updraft is compared with
     */
    public List<BenchSide> sides(Set<BenchSide> peers) {
        List<BenchSide> sides = new ArrayList<>(List.of(BenchSide.UPDRAFT));
        if (onStormCluster) {
            sides.add(BenchSide.UPDRAFT_ON_STORM);
        }
        peers.stream().sorted().forEach(sides::add);
        return sides;
    }

    /** {@return the variants of a side to measure, in the order of a round} */
    public List<SeriesVariant> variants(BenchSide side) {
        List<String> names = side.isUpdraft() ? transports : List.of("");
        return transferBuffers.stream()
                .flatMap(buffer -> names.stream().map(name -> new SeriesVariant(name, buffer)))
                .toList();
    }
}
