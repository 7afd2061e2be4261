package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

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
final class WindowSumTopology implements BenchTopology {

    /** Window length, in numbers. */
    static final int LENGTH = 30;

    /** Sliding interval, in numbers. */
    static final int SLIDE = 10;

    /** The spout emits 0, 1, 2, ... up to this exclusive bound, and starts again at 0. */
    static final int LIMIT = 1000;

    static final String NUMBER = "message";

    private static final String KEY = "key";

    /** The number of different keys: a number's key is its remainder by this. */
    static final int KEYS = 100;

    /** The key under which the check counts wrong sums. */
    static final String WRONG = "wrong sums";

    /** The id of the component that has the windows. */
    static final String WINDOW = "window";

    private static final String SUMS = "sums";

    @Override
    public StormTopology build(Shape shape, String runId) {
        return build(shape, runId, shape.bolts() > 1 ? KEY : null);
    }

    /** {@return the topology; a key is the field by which numbers are grouped, null for a single task} */
    static StormTopology build(Shape shape, String runId, String key) {
        TopologyBuilder builder = new TopologyBuilder();
        CountingSpout spout = key == null
                ? new CountingSpout(runId, shape, () -> n -> new Values(number(n)), NUMBER)
                : new CountingSpout(runId, shape, () -> n -> new Values(number(n), key(number(n))), NUMBER, KEY);
        builder.setSpout(SPOUT, spout, 1);
        var window = builder.setBolt(
                WINDOW,
                new SumBolt(runId).withWindow(BaseWindowedBolt.Count.of(LENGTH), BaseWindowedBolt.Count.of(SLIDE)),
                shape.bolts());
        if (key == null) {
            window.shuffleGrouping(SPOUT);
        } else {
            window.fieldsGrouping(SPOUT, new Fields(key));
        }
        builder.setBolt(SUMS, new CountingBolt(runId, WindowSumTopology::checking), 1)
                .shuffleGrouping(WINDOW);
        return builder.createTopology();
    }

    private static int number(long sequence) {
        return (int) (sequence % LIMIT);
    }

    static int key(int number) {
        return number % KEYS;
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

    /**
     * Keeps the sum of its window: adds new tuples and subtracts expired ones, as storm-starter's {@code SlidingSumBolt}
     * does.
     */
    private static final class SumBolt extends BaseWindowedBolt {

        private static final long serialVersionUID = 1L;

        private final String runId;
        private transient OutputCollector collector;
        private transient BenchTaskCounters probe;
        private transient int sum;

        SumBolt(String runId) {
            this.runId = runId;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
            probe = BenchRunState.of(runId).probe(context);
        }

        @Override
        public void execute(TupleWindow window) {
            for (Tuple tuple : window.getNew()) {
                sum += (int) tuple.getValue(0);
            }
            for (Tuple tuple : window.getExpired()) {
                sum -= (int) tuple.getValue(0);
            }
            collector.emit(new Values(sum));
            probe.received();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("sum"));
        }
    }

    /** Compares the sum of each window with the sum that the window's task is expected to send. */
    private static BiConsumer<Tuple, BasicOutputCollector> checking(BenchRunState run, TopologyContext context) {
        Map<String, Integer> wrong = new ConcurrentHashMap<>();
        run.words(wrong);
        List<Integer> tasks = context.getComponentTasks(WINDOW);
        WindowSumModel model = new WindowSumModel(tasks.size());
        int[] indices = new int[Collections.max(tasks) + 1];
        tasks.forEach(task -> indices[task] = tasks.indexOf(task));
        long[] windows = new long[tasks.size()];
        return (tuple, collector) -> {
            int task = indices[tuple.getSourceTask()];
            if ((int) tuple.getValue(0) != model.sum(task, ++windows[task])) {
                wrong.merge(WRONG, 1, Integer::sum);
            }
        };
    }
}
