package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;
import java.util.Arrays;
import java.util.List;

/**
 * One simulated process.
 *
 * @param number its number in the plan
 * @param incarnation number of processes that have run this worker, including this one
 * @param lifecycle the state of the topology
 * @param host runs its loops
 * @param assembly its loops and executors
 * @param gateway connects it to the other workers; null if there are none
 */
record SimWorker(
        int number,
        int incarnation,
        TopologyLifecycle lifecycle,
        SimRuntime host,
        LoopAssembly assembly,
        SimGateway gateway) {

    List<Integer> tasks() {
        return assembly.slots().stream()
                .flatMapToInt(slot -> Arrays.stream(slot.executor().plan().taskIds()))
                .boxed()
                .toList();
    }

    /** One step of something in it. */
    void step(SeededRandom chance) {
        if (gateway != null && chance.percent(30)) {
            gateway.step();
        } else {
            host.step();
        }
    }

    /** Each thing in it once; returns how much was done. */
    int round() {
        int work = host.round();
        return gateway == null ? work : work + gateway.step();
    }
}
