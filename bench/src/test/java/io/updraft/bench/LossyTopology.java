package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.CountCheck;
import io.updraft.bench.topology.TaskCounter;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** A spout whose every hundredth message is counted but never sent. */
public final class LossyTopology implements BenchTopology {

    @Override
    public StormTopology build(Shape shape, String runId) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new LossySpout(runId));
        builder.setBolt("sink", new Sink(runId)).shuffleGrouping(SPOUT);
        return builder.createTopology();
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum("sink", TaskCounter.RECEIVED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        return new CountCheck()
                .equal("emitted", run.sum(SPOUT, TaskCounter.EMITTED), "received", delivered(shape, run))
                .problems();
    }

    private static final class LossySpout extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private final String runId;
        private transient SpoutOutputCollector collector;
        private transient BenchTaskCounters probe;
        private transient long next;

        LossySpout(String runId) {
            this.runId = runId;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
            probe = BenchRunState.of(runId).probe(context.getThisComponentId());
        }

        @Override
        public void nextTuple() {
            if (BenchRunState.of(runId).isQuiet()) {
                return;
            }
            probe.emitted();
            if (++next % 100 != 0) {
                collector.emit(new Values(next));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    private static final class Sink extends BaseRichBolt {

        private static final long serialVersionUID = 1L;

        private final String runId;
        private transient OutputCollector collector;
        private transient BenchTaskCounters probe;

        Sink(String runId) {
            this.runId = runId;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            probe = BenchRunState.of(runId).probe(context.getThisComponentId());
        }

        @Override
        public void execute(Tuple tuple) {
            collector.ack(tuple);
            probe.received();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
