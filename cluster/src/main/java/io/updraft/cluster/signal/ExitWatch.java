package io.updraft.cluster.signal;

import io.updraft.engine.api.ExitCalled;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds the threads of this JVM that have asked it to exit. The first is in the middle of the JVM's shutdown, which waits for the
 * shutdown hooks; those that follow wait for the first. So it is used within a shutdown hook. Virtual threads are not found: the
 * JVM does not list them.
 */
public final class ExitWatch {
    private final Set<Thread> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private final BiConsumer<Thread, StackTraceElement[]> found;

    /**
     * Creates a watch.
     *
     * @param found is told of each thread once, and of its stack
     */
    public ExitWatch(BiConsumer<Thread, StackTraceElement[]> found) {
        this.found = found;
    }

    /** Looks once at the stacks of all threads. */
    public void look() {
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            if (ExitCalled.isIn(each.getValue()) && known.add(each.getKey())) {
                found.accept(each.getKey(), each.getValue());
            }
        }
    }
}
