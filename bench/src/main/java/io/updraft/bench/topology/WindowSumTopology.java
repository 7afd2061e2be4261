package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import java.util.List;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;

/**
 * Sums over sliding windows; its mirror is storm-starter's {@code SlidingWindowTopology}, with the same windows: the last 30
 * numbers, every 10 numbers.
 *
 * <pre>
 *   spout ──shuffle──► window ──shuffle──► sums
 *   ×1                 ×1                  ×1
 * </pre>
 *
 * <p>Each component has one task, so the sum of every window is known, and every sum is checked. Numbers that are still in a
 * window when the spouts stop stay in the window.
 */
public final class WindowSumTopology implements BenchTopology {

    /** Window length, in numbers. */
    static final int LENGTH = 30;

    /** Sliding interval, in numbers. */
    static final int SLIDE = 10;

    /** The key under which {@link WindowSumCheckBolt} counts wrong sums. */
    static final String WRONG = "wrong sums";

    private static final String WINDOW = "window";
    private static final String SUMS = "sums";

    /** Used by reflection. */
    public WindowSumTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new SequenceSpout(runId, shape), 1);
        builder.setBolt(WINDOW, new WindowSumBolt(runId).withWindow(Count.of(LENGTH), Count.of(SLIDE)), 1)
                .shuffleGrouping(SPOUT);
        builder.setBolt(SUMS, new WindowSumCheckBolt(runId), 1).shuffleGrouping(WINDOW);
        return builder.createTopology();
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SUMS, TaskCounter.RECEIVED) * SLIDE;
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long emitted = run.sum(SPOUT, TaskCounter.EMITTED);
        CountCheck check = new CountCheck()
                .equal("windows due", emitted / SLIDE, "sums received", run.sum(SUMS, TaskCounter.RECEIVED))
                .equal("windows due", emitted / SLIDE, "windows evaluated", run.sum(WINDOW, TaskCounter.RECEIVED));
        if (shape.acked()) {
            long reported = run.sum(SPOUT, TaskCounter.ACKED) + run.sum(SPOUT, TaskCounter.FAILED);
            check.equal(
                    "acked or failed", reported, "numbers that left their windows", Math.max(reported, left(emitted)));
        }
        return check.problems();
    }

    /**
     * Returns the count of numbers that have left all windows. Numbers in the newest window, and numbers that wait for the next
     * one, have not.
     */
    private static long left(long emitted) {
        return Math.max(0, emitted / SLIDE * SLIDE - LENGTH);
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        int wrong = run.wordCounts().stream()
                .mapToInt(counts -> counts.getOrDefault(WRONG, 0))
                .sum();
        return new CountCheck().equal(WRONG, 0, "counted", wrong).problems();
    }
}
