package io.updraft.observe.inspection;

import io.updraft.engine.snapshot.RunningCode;
import java.util.Map;
import java.util.Set;

/** Tells whose code threads run, and which classes components have. */
@FunctionalInterface
public interface ThreadOwners {
    /**
     * Finds the code of a component that each thread runs.
     *
     * @param stacks the stacks of threads
     * @return the code of each thread that runs code of a component
     */
    Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks);

    /**
     * Finds the classes of the components that have tasks in this process.
     *
     * @return the names of the classes whose frames are code of a component, by component
     */
    default Map<String, Set<String>> componentClasses() {
        return Map.of();
    }

    /** {@return the names of all components that operators may ask for, also of those that have tasks in other processes only} */
    default Set<String> componentNames() {
        return componentClasses().keySet();
    }
}
