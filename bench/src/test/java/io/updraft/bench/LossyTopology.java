package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.Check;
import io.updraft.bench.topology.Counter;
import io.updraft.bench.topology.Probe;
import io.updraft.bench.topology.RunState;
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
    public long delivered(Shape shape, RunState run) {
        return run.sum("sink", Counter.RECEIVED);
    }

    @Override
    public List<String> missing(Shape shape, RunState run) {
        return new Check()
                .equal("emitted", run.sum(SPOUT, Counter.EMITTED), "received", delivered(shape, run))
                .problems();
    }

    private static final class LossySpout extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private final String runId;
        private transient SpoutOutputCollector collector;
        private transient Probe probe;
        private transient long next;

        LossySpout(String runId) {
            this.runId = runId;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
            probe = RunState.of(runId).probe(context.getThisComponentId());
        }

        @Override
        public void nextTuple() {
            if (RunState.of(runId).isQuiet()) {
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
        private transient Probe probe;

        Sink(String runId) {
            this.runId = runId;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            probe = RunState.of(runId).probe(context.getThisComponentId());
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
