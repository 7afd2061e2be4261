package io.updraft.engine.memory;

import io.updraft.engine.snapshot.RunningCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A running engine of this process, as far as its memory is concerned. All methods may be called from any thread. */
public interface ObservedEngine {
    /** {@return the name of the topology} */
    String topology();

    /** {@return the counters of each component that has tasks in this process; reading them disturbs nothing} */
    List<ComponentCounts> counts();

    /**
     * Estimates what the instances of components hold. Runs on the calling thread, and tolerates that the instances change.
     *
     * @param limit the longest time for all instances together; what is not reached is missing
     * @return the instances, the largest first
     */
    List<HeldMemory> held(Duration limit);

    /** Ends the turns of all components: none of their code begins any more. Needs no memory. */
    void endTurns();

    /**
     * Finds the code of components that threads run.
     *
     * @param stacks threads with their stacks
     * @return the code of each thread that runs code of a component
     */
    Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks);
}
