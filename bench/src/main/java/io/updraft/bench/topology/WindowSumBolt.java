package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

/**
 * Keeps the sum of its window: adds new tuples and subtracts expired ones, as storm-starter's {@code SlidingWindowSumBolt}
 * does.
 */
final class WindowSumBolt extends BaseWindowedBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private transient OutputCollector collector;
    private transient BenchTaskCounters probe;
    private transient int sum;

    WindowSumBolt(String runId) {
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
