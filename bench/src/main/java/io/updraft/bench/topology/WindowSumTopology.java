package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import java.util.Comparator;
import java.util.List;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.apache.storm.tuple.Fields;

/**
 * Sums over sliding windows; its mirror is storm-starter's {@code SlidingWindowTopology}, with the same windows: the last 30
 * numbers, every 10 numbers.
 *
 * <pre>
 *   spout ──shuffle──► window ──shuffle──► sums        spout ──fields(key)──► window ──shuffle──► sums
 *   ×1                 ×1                  ×1          ×1                     ×bolts              ×1
 * </pre>
 *
 * <p>With several bolts the stream is keyed: each task of the window bolt has windows over the numbers of its keys. One spout
 * sends each task its numbers in order, so the sum of every window of every task is known, and every sum is checked ({@link
 * WindowSumModel}). Numbers that are still in a window when the spouts stop stay in the window.
 */
public final class WindowSumTopology implements BenchTopology {

    /** Window length, in numbers. */
    static final int LENGTH = 30;

    /** Sliding interval, in numbers. */
    static final int SLIDE = 10;

    /** The key under which {@link WindowSumCheckBolt} counts wrong sums. */
    static final String WRONG = "wrong sums";

    /** The id of the component that has the windows. */
    static final String WINDOW = "window";

    private static final String SUMS = "sums";

    /** Used by reflection. */
    public WindowSumTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new SequenceSpout(runId, shape), 1);
        BoltDeclarer window = builder.setBolt(
                WINDOW, new WindowSumBolt(runId).withWindow(Count.of(LENGTH), Count.of(SLIDE)), shape.bolts());
        if (shape.bolts() > 1) {
            window.fieldsGrouping(SPOUT, new Fields(SequenceSpout.KEY));
        } else {
            window.shuffleGrouping(SPOUT);
        }
        builder.setBolt(SUMS, new WindowSumCheckBolt(runId, shape.bolts()), 1).shuffleGrouping(WINDOW);
        return builder.createTopology();
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SUMS, TaskCounter.RECEIVED) * SLIDE;
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long emitted = run.sum(SPOUT, TaskCounter.EMITTED);
        WindowSumModel model = new WindowSumModel(shape.bolts());
        List<Long> due = model.windows(emitted);
        long allDue = due.stream().mapToLong(Long::longValue).sum();
        CountCheck check =
                new CountCheck().equal("windows due", allDue, "sums received", run.sum(SUMS, TaskCounter.RECEIVED));
        compareTasks(check, due, evaluated(run));
        if (shape.acked()) {
            long reported = run.sum(SPOUT, TaskCounter.ACKED) + run.sum(SPOUT, TaskCounter.FAILED);
            check.equal(
                    "acked or failed",
                    reported,
                    "numbers that left their windows",
                    Math.max(reported, model.left(emitted)));
        }
        return check.problems();
    }

    /** {@return the number of windows that each task has evaluated, largest first} */
    private static List<Long> evaluated(BenchRunState run) {
        return run.probes(WINDOW).stream()
                .map(task -> task.get(TaskCounter.RECEIVED))
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** Compares the tasks by the order of their counts, because a counter does not know the index of its task. */
    private static void compareTasks(CountCheck check, List<Long> due, List<Long> evaluated) {
        for (int i = 0; i < Math.max(due.size(), evaluated.size()); i++) {
            check.equal("windows due", at(i, due), "windows evaluated", at(i, evaluated));
        }
    }

    private static long at(int index, List<Long> counts) {
        return index < counts.size() ? counts.get(index) : 0;
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        int wrong = run.wordCounts().stream()
                .mapToInt(counts -> counts.getOrDefault(WRONG, 0))
                .sum();
        return new CountCheck().equal(WRONG, 0, "counted", wrong).problems();
    }
}
