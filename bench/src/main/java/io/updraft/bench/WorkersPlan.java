package io.updraft.bench;

import java.util.List;

/**
 * What is measured between worker processes.
 *
 * @param count how many workers; 1 for a run in one process
 * @param transports the names of Updraft's transports that are compared
 * @param all whether they are all that there are: one that cannot run here is left out then, and is not an error
 * @param transferBuffers the sizes of the transfer buffer that are compared, in bytes; 0 for the default
 */
record WorkersPlan(int count, List<String> transports, boolean all, List<Integer> transferBuffers) {

    static final WorkersPlan NONE = new WorkersPlan(1, List.of(""), false, List.of(0));

    boolean several() {
        return count > 1;
    }

    /** Whether the size of the transfer buffer is what figures show. */
    boolean sweepsBuffers() {
        return transferBuffers.size() > 1;
    }

    /** {@return what is measured of a side, in turn} */
    List<Variant> variants(Side side) {
        List<String> names = side == Side.STORM ? List.of("") : transports;
        return transferBuffers.stream()
                .flatMap(buffer -> names.stream().map(name -> new Variant(name, buffer)))
                .toList();
    }
}
