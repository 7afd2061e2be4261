package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;

/** Compares the sum of each window of {@link WindowSumTopology} with the expected sum. */
final class WindowSumCheckBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private transient BenchTaskCounters probe;
    private transient Map<String, Integer> wrong;
    private transient long windows;

    WindowSumCheckBolt(String runId) {
        this.runId = runId;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        BenchRunState run = BenchRunState.of(runId);
        probe = run.probe(context);
        wrong = new ConcurrentHashMap<>();
        run.words(wrong);
    }

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
        windows++;
        if ((int) tuple.getValue(0) != expected(windows)) {
            wrong.merge(WindowSumTopology.WRONG, 1, Integer::sum);
        }
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}

    /** Returns the expected sum of a window; windows are numbered from 1. */
    static int expected(long window) {
        long end = window * WindowSumTopology.SLIDE;
        int sum = 0;
        for (long number = Math.max(0, end - WindowSumTopology.LENGTH); number < end; number++) {
            sum += (int) (number % SequenceSpout.LIMIT);
        }
        return sum;
    }
}
