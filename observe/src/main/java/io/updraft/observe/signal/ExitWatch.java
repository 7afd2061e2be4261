package io.updraft.observe.signal;

import io.updraft.engine.api.ExitCalled;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds the threads of this JVM that have called {@code System.exit}. The first such thread runs the JVM's shutdown, which
 * waits for the shutdown hooks; later ones wait for the first. An instance is therefore used within a shutdown hook. Virtual
 * threads are not found, because the JVM does not list them.
 */
public final class ExitWatch {
    private final Set<Thread> reported = Collections.newSetFromMap(new IdentityHashMap<>());
    private final BiConsumer<Thread, StackTraceElement[]> report;

    /**
     * Creates a watch.
     *
     * @param report receives each thread once, with its stack
     */
    public ExitWatch(BiConsumer<Thread, StackTraceElement[]> report) {
        this.report = report;
    }

    /** Checks the stacks of all threads once. */
    public void look() {
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            if (ExitCalled.isIn(each.getValue()) && reported.add(each.getKey())) {
                report.accept(each.getKey(), each.getValue());
            }
        }
    }
}
