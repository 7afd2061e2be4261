package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;

/** Compares the sum of each window of {@link WindowSumTopology} with the sum that the window's task is expected to send. */
final class WindowSumCheckBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final int windowTasks;
    private transient BenchTaskCounters probe;
    private transient Map<String, Integer> wrong;
    private transient WindowSumModel model;

    /** For each task id of the window bolt: the task's index in the bolt. */
    private transient int[] indices;

    /** For each task of the window bolt, by its index: the number of its windows so far. */
    private transient long[] windows;

    /**
     * Creates the bolt.
     *
     * @param windowTasks the number of tasks of the window bolt
     */
    WindowSumCheckBolt(String runId, int windowTasks) {
        this.runId = runId;
        this.windowTasks = windowTasks;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        BenchRunState run = BenchRunState.of(runId);
        probe = run.probe(context);
        wrong = new ConcurrentHashMap<>();
        run.words(wrong);
        model = new WindowSumModel(windowTasks);
        windows = new long[windowTasks];
        List<Integer> tasks = context.getComponentTasks(WindowSumTopology.WINDOW);
        indices = new int[Collections.max(tasks) + 1];
        tasks.forEach(task -> indices[task] = tasks.indexOf(task));
    }

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
        int task = indices[tuple.getSourceTask()];
        long window = ++windows[task];
        if ((int) tuple.getValue(0) != model.sum(task, window)) {
            wrong.merge(WindowSumTopology.WRONG, 1, Integer::sum);
        }
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
