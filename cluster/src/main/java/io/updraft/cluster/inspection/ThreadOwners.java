package io.updraft.cluster.inspection;

import java.util.Map;

/** Tells whose code threads run. */
@FunctionalInterface
public interface ThreadOwners {
    /**
     * Finds the component whose code each thread runs.
     *
     * @param stacks the stacks of threads
     * @return the component of each thread that runs code of one
     */
    Map<Thread, String> componentsOf(Map<Thread, StackTraceElement[]> stacks);
}
