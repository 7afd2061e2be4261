package io.updraft.bench.topology;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;

/**
 * The counters of one task. Written by the thread that runs the task, read by the harness.
 *
 * <p>A count is stored with release and read with acquire, so that a reader who sees the count also sees what the task
 * did before: the histogram's entry, the word in the map. They are fields with a cache line of padding on either side,
 * because what counting costs is measured along with the runtime.
 */
public final class Probe {

    private static final VarHandle EMITTED = counter("emitted");
    private static final VarHandle RECEIVED = counter("received");
    private static final VarHandle ACKED = counter("acked");
    private static final VarHandle FAILED = counter("failed");
    private static final long LONGEST_LATENCY = 600_000_000_000L;

    private long before0, before1, before2, before3, before4, before5, before6, before7;
    private long emitted;
    private long received;
    private long acked;
    private long failed;
    private long after0, after1, after2, after3, after4, after5, after6, after7;

    private final String component;
    private final RunState run;
    private Histogram latency;

    Probe(RunState run, String component) {
        this.run = run;
        this.component = component;
    }

    private static VarHandle counter(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(Probe.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** {@return the id of the component whose task this counts for} */
    public String component() {
        return component;
    }

    /** Counts a message emitted by a spout. Task's thread only. */
    public void emitted() {
        EMITTED.setRelease(this, emitted + 1);
    }

    /** Counts a tuple received by a bolt. Task's thread only. */
    public void received() {
        RECEIVED.setRelease(this, received + 1);
    }

    /** Counts a message whose spout was told of success. Task's thread only. */
    public void acked() {
        ACKED.setRelease(this, acked + 1);
    }

    /** Counts a message whose spout was told of failure. Task's thread only. */
    public void failed() {
        FAILED.setRelease(this, failed + 1);
    }

    /**
     * Reads a counter. Any thread.
     *
     * @param counter what to read
     * @return its value
     */
    public long get(Counter counter) {
        return (long)
                switch (counter) {
                    case EMITTED -> EMITTED.getAcquire(this);
                    case RECEIVED -> RECEIVED.getAcquire(this);
                    case ACKED -> ACKED.getAcquire(this);
                    case FAILED -> FAILED.getAcquire(this);
                };
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
