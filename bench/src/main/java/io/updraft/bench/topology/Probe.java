package io.updraft.bench.topology;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;

/**
 * The counters of one task. Written by the thread that runs the task, read by the harness.
 *
 * <pre>
 *   cells   | 64 bytes of padding | EMITTED RECEIVED ACKED FAILED . . . . | 64 bytes of padding |
 * </pre>
 *
 * <p>A count is stored with release and read with acquire, so that a reader who sees the count also sees what the task
 * did before: the histogram's entry, the word in the map.
 */
public final class Probe {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PADDING = 8;
    private static final long LONGEST_LATENCY = 600_000_000_000L;

    private final String component;
    private final long[] cells = new long[3 * PADDING];
    private final RunState run;
    private Histogram latency;

    Probe(RunState run, String component) {
        this.run = run;
        this.component = component;
    }

    /** {@return the id of the component whose task this counts for} */
    public String component() {
        return component;
    }

    /**
     * Adds one. Task's thread only.
     *
     * @param counter what to count
     */
    public void count(Counter counter) {
        int index = PADDING + counter.ordinal();
        CELLS.setRelease(cells, index, cells[index] + 1);
    }

    /**
     * Reads a counter. Any thread.
     *
     * @param counter what to read
     * @return its value
     */
    public long get(Counter counter) {
        return (long) CELLS.getAcquire(cells, PADDING + counter.ordinal());
    }

    /** Makes room for latencies. Called before the task's first message. */
    void prepareLatency() {
        latency = new Histogram(LONGEST_LATENCY, 3);
    }

    /**
     * Records a complete latency if the message belongs to the measured part. Task's thread only; call before
     * counting the message.
     *
     * @param from when the message was emitted or, in open loop, was due ({@link System#nanoTime})
     */
    void recordLatency(long from) {
        if (run.measures(from)) {
            latency.recordValue(Math.min(LONGEST_LATENCY, Math.max(0, System.nanoTime() - from)));
        }
    }

    /**
     * {@return the latencies, or null for a task without any} Read it only when the run has drained.
     */
    Histogram latency() {
        return latency;
    }
}
