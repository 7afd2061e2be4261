package io.updraft.bench.topology;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

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
    private static final VarHandle CROSSED = counter("crossed");
    private static final VarHandle ACKED = counter("acked");
    private static final VarHandle FAILED = counter("failed");
    /** In nanoseconds; what takes longer counts as this. */
    static final long LONGEST_LATENCY = 600_000_000_000L;

    private long before0, before1, before2, before3, before4, before5, before6, before7;
    private long emitted;
    private long received;
    private long crossed;
    private long acked;
    private long failed;
    private long after0, after1, after2, after3, after4, after5, after6, after7;

    private final String component;
    private final RunState run;
    private Histogram latency;

    /** By task: whether it is in another worker. Null where there is only one. */
    private boolean[] elsewhere;

    Probe(RunState run, String component) {
        this.run = run;
        this.component = component;
    }

    /** What a task in another process had counted. */
    Probe(RunState run, RunReport.Task task) {
        this(run, task.component());
        long[] counts = task.counts();
        emitted = counts[Counter.EMITTED.ordinal()];
        received = counts[Counter.RECEIVED.ordinal()];
        crossed = counts[Counter.CROSSED.ordinal()];
        acked = counts[Counter.ACKED.ordinal()];
        failed = counts[Counter.FAILED.ordinal()];
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

    /**
     * Counts a tuple received by a bolt, and whether it came from another worker. Task's thread only.
     *
     * @param tuple the tuple
     */
    public void received(Tuple tuple) {
        if (elsewhere != null && elsewhere[tuple.getSourceTask()]) {
            CROSSED.setRelease(this, crossed + 1);
        }
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
                    case CROSSED -> CROSSED.getAcquire(this);
                    case ACKED -> ACKED.getAcquire(this);
                    case FAILED -> FAILED.getAcquire(this);
                };
    }

    /** Finds out which tasks are in other workers. Called before the task's first tuple. */
    void prepareCrossing(TopologyContext context) {
        Set<Integer> tasks = context.getTaskToComponent().keySet();
        Set<Integer> here = Set.copyOf(context.getThisWorkerTasks());
        if (!here.containsAll(tasks)) {
            elsewhere = new boolean[Collections.max(tasks) + 1];
            tasks.stream().filter(task -> task >= 0).forEach(task -> elsewhere[task] = !here.contains(task));
        }
    }

    RunReport.Task report() {
        return new RunReport.Task(
                component, Stream.of(Counter.values()).mapToLong(this::get).toArray());
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
