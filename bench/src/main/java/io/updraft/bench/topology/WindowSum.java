package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
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
 * <p>One task each, so that the sum of every window is known; each is checked. Numbers that are still in a window when the spouts
 * are quiet stay there.
 */
public final class WindowSum implements BenchTopology {

    /** Numbers in a window. */
    static final int LENGTH = 30;

    /** Numbers from one window to the next. */
    static final int SLIDE = 10;

    /** What {@link SumsBolt} calls a sum that is not the one expected. */
    static final String WRONG = "wrong sums";

    private static final String WINDOW = "window";
    private static final String SUMS = "sums";

    /** Called by name. */
    public WindowSum() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new NumberSpout(runId, shape), 1);
        builder.setBolt(WINDOW, new SumBolt(runId).withWindow(Count.of(LENGTH), Count.of(SLIDE)), 1)
                .shuffleGrouping(SPOUT);
        builder.setBolt(SUMS, new SumsBolt(runId), 1).shuffleGrouping(WINDOW);
        return builder.createTopology();
    }

    @Override
    public long delivered(Shape shape, RunState run) {
        return run.sum(SUMS, Counter.RECEIVED) * SLIDE;
    }

    @Override
    public List<String> missing(Shape shape, RunState run) {
        long emitted = run.sum(SPOUT, Counter.EMITTED);
        Check check = new Check()
                .equal("windows of the numbers emitted", emitted / SLIDE, "sums", run.sum(SUMS, Counter.RECEIVED))
                .equal("windows", emitted / SLIDE, "evaluated", run.sum(WINDOW, Counter.RECEIVED));
        if (shape.acked()) {
            long told = run.sum(SPOUT, Counter.ACKED) + run.sum(SPOUT, Counter.FAILED);
            check.equal("acked or failed", told, "that have left their windows", Math.max(told, left(emitted)));
        }
        return check.problems();
    }

    /** Numbers that no window will have any more: the newest window keeps its own, as do those that wait for the next. */
    private static long left(long emitted) {
        return Math.max(0, emitted / SLIDE * SLIDE - LENGTH);
    }

    @Override
    public List<String> wrong(Shape shape, RunState run) {
        int wrong = run.wordCounts().stream()
                .mapToInt(counts -> counts.getOrDefault(WRONG, 0))
                .sum();
        return new Check().equal(WRONG, 0, "counted", wrong).problems();
    }
}
