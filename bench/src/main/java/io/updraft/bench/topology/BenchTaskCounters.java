package io.updraft.bench.topology;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * The counters of one task. Written by the thread that runs the task, read by the harness.
 *
 * <p>A count is stored with release and read with acquire. A reader that sees the count also sees the task's earlier writes,
 * such as the histogram's entry or the word in the map. The counters have a cache line of padding on either side, because the
 * cost of counting is measured along with the runtime.
 */
public final class BenchTaskCounters {

    private static final VarHandle EMITTED = counter("emitted");
    private static final VarHandle RECEIVED = counter("received");
    private static final VarHandle CROSSED = counter("crossed");
    private static final VarHandle ACKED = counter("acked");
    private static final VarHandle FAILED = counter("failed");
    /** The longest recorded latency in nanoseconds; longer latencies are recorded as this value. */
    static final long LONGEST_LATENCY = 600_000_000_000L;

    private long before0, before1, before2, before3, before4, before5, before6, before7;
    private long emitted;
    private long received;
    private long crossed;
    private long acked;
    private long failed;
    private long after0, after1, after2, after3, after4, after5, after6, after7;

    private final String component;
    private final BenchRunState run;
    private Histogram latency;

    /** For each task id: whether the task is in another worker. Null if there is only one worker. */
    private boolean[] elsewhere;

    BenchTaskCounters(BenchRunState run, String component) {
        this.run = run;
        this.component = component;
    }

    /** Creates a copy of the counters of a task in another process. */
    BenchTaskCounters(BenchRunState run, RunReport.Task task) {
        this(run, task.component());
        List<Long> counts = task.counts();
        emitted = counts.get(TaskCounter.EMITTED.ordinal());
        received = counts.get(TaskCounter.RECEIVED.ordinal());
        crossed = counts.get(TaskCounter.CROSSED.ordinal());
        acked = counts.get(TaskCounter.ACKED.ordinal());
        failed = counts.get(TaskCounter.FAILED.ordinal());
    }

    private static VarHandle counter(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(BenchTaskCounters.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** {@return the id of the task's component} */
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

    /** Counts a tuple received by a bolt, and whether it came from another worker. Task's thread only. */
    public void received(Tuple tuple) {
        if (elsewhere != null && elsewhere[tuple.getSourceTask()]) {
            CROSSED.setRelease(this, crossed + 1);
        }
        RECEIVED.setRelease(this, received + 1);
    }

    /** Counts a message acked at its spout. Task's thread only. */
    public void acked() {
        ACKED.setRelease(this, acked + 1);
    }

    /** Counts a message failed at its spout. Task's thread only. */
    public void failed() {
        FAILED.setRelease(this, failed + 1);
    }

    /** Reads a counter. Any thread. */
    public long get(TaskCounter counter) {
        return (long)
                switch (counter) {
                    case EMITTED -> EMITTED.getAcquire(this);
                    case RECEIVED -> RECEIVED.getAcquire(this);
                    case CROSSED -> CROSSED.getAcquire(this);
                    case ACKED -> ACKED.getAcquire(this);
                    case FAILED -> FAILED.getAcquire(this);
                };
    }

    /** Determines which tasks are in other workers. Called before the task's first tuple. */
    void prepareCrossing(TopologyContext context) {
        Set<Integer> tasks = context.getTaskToComponent().keySet();
        Set<Integer> localTasks = Set.copyOf(context.getThisWorkerTasks());
        if (!localTasks.containsAll(tasks)) {
            elsewhere = new boolean[Collections.max(tasks) + 1];
            tasks.stream().filter(task -> task >= 0).forEach(task -> elsewhere[task] = !localTasks.contains(task));
        }
    }

    RunReport.Task report() {
        return new RunReport.Task(
                component, Stream.of(TaskCounter.values()).map(this::get).toList());
    }

    /** Creates the latency histogram. Called before the task's first message. */
    public void prepareLatency() {
        latency = new Histogram(LONGEST_LATENCY, 3);
    }

    /**
     * Records a complete latency if the message belongs to the measured part. Task's thread only; call before
     * counting the message.
     *
     * @param emitted when the message was emitted or, in open loop, was due ({@link System#nanoTime})
     */
    public void recordLatency(long emitted) {
        if (run.measures(emitted)) {
            latency.recordValue(Math.min(LONGEST_LATENCY, Math.max(0, System.nanoTime() - emitted)));
        }
    }

    /** {@return the latencies, or null for a task without a histogram} Read it only when the run has drained. */
    Histogram latency() {
        return latency;
    }
}
