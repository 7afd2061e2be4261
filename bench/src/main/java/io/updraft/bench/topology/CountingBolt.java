package io.updraft.bench.topology;

import java.io.Serializable;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** A bolt that counts the tuples that it has processed. All methods run on the task's thread. */
public final class CountingBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final Work work;
    private final String[] fields;
    private transient BiConsumer<Tuple, BasicOutputCollector> task;
    private transient BenchTaskCounters probe;

    /** Prepares a task in the process that runs it. */
    public interface Work extends Serializable {

        /** {@return the processing of a tuple, which may emit} */
        BiConsumer<Tuple, BasicOutputCollector> prepare(BenchRunState run, TopologyContext context);
    }

    /** Creates a bolt whose tuples have the given fields; without fields, the bolt emits nothing. */
    public CountingBolt(String runId, Work work, String... fields) {
        this.runId = runId;
        this.work = work;
        this.fields = fields;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        BenchRunState run = BenchRunState.of(runId);
        task = work.prepare(run, context);
        probe = run.probe(context);
    }

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
        task.accept(tuple, collector);
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (fields.length > 0) {
            declarer.declare(new Fields(fields));
        }
    }
}
