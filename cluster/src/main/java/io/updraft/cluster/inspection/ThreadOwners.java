package io.updraft.cluster.inspection;

import io.updraft.engine.metrics.RunningCode;
import java.util.Map;

/** Tells whose code threads run. */
@FunctionalInterface
public interface ThreadOwners {
    /**
     * Finds the code of a component that each thread runs.
     *
     * @param stacks the stacks of threads
     * @return the code of each thread that runs code of a component
     */
    Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks);
}
