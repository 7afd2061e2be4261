package io.updraft.engine.api;

import io.updraft.engine.snapshot.RunningCode;
import java.util.List;
import java.util.Map;

/** A running engine of this process, as far as its memory is concerned. All methods may be called from any thread. */
public interface ObservedEngine {
    /**
     * An instance of a component.
     *
     * @param component the component
     * @param task the task that has the instance
     * @param value the instance
     */
    record Instance(String component, int task, Object value) {}

    /** {@return the name of the topology} */
    String topology();

    /** {@return the counters of each component that has tasks in this process; reading them disturbs nothing} */
    List<ComponentCounts> counts();

    /** {@return the instances of components in this process; their threads may change them at any time} */
    List<Instance> instances();

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
