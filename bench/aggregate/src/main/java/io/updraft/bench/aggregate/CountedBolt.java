package io.updraft.bench.aggregate;

import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Tuple;

/**
 * An aggregator of the library, whose tuples the harness counts. It gets ticks only when the spouts have stopped: ticks close idle
 * windows, and a task is also idle while a worker starts or stalls.
 */
final class CountedBolt implements IRichBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final IRichBolt bolt;
    private transient BenchRunState run;
    private transient BenchTaskCounters probe;

    CountedBolt(String runId, IRichBolt bolt) {
        this.runId = runId;
        this.bolt = bolt;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        bolt.prepare(conf, context, collector);
        run = BenchRunState.of(runId);
        probe = run.probe(context);
    }

    @Override
    public void execute(Tuple tuple) {
        boolean tick = tuple.getSourceTask() == Constants.SYSTEM_TASK_ID;
        if (!tick || run.isQuiet()) {
            bolt.execute(tuple);
        }
        if (!tick) {
            probe.received(tuple);
        }
    }

    @Override
    public void cleanup() {
        bolt.cleanup();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        bolt.declareOutputFields(declarer);
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return bolt.getComponentConfiguration();
    }
}
