package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * The speed-of-light test: components that do nothing, so that only the runtime is measured.
 *
 * <pre>
 *   spout ──shuffle──► bolt-1 ──shuffle──► ... ──shuffle──► bolt-L
 *   ×spouts            ×bolts                               ×bolts, the sink
 * </pre>
 *
 * <p>Its mirrors are {@code SOLSpout}/{@code SOLBolt} of Yahoo's storm-perf-test and, with one or two levels,
 * {@code ConstSpoutNullBoltTopo} and {@code ConstSpoutIdBoltNullBoltTopo} of Storm's storm-perf.
 */
public final class SpeedOfLightTopology implements BenchTopology {

    private static final String MESSAGE = "message";

    /** The number of different messages, which are returned in turn. */
    private static final int PREPARED = 128;

    /** Used by reflection. */
    public SpeedOfLightTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        int bytes = shape.messageSize();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new CountingSpout(runId, shape, () -> messages(bytes), MESSAGE), shape.spouts());
        String upstream = SPOUT;
        for (int level = 1; level <= shape.levels(); level++) {
            SinkBolt bolt = level == shape.levels() ? new SinkBolt(runId) : new ForwardBolt(runId, shape.acked());
            builder.setBolt(bolt(level), bolt, shape.bolts()).shuffleGrouping(upstream);
            upstream = bolt(level);
        }
        return builder.createTopology();
    }

    private static LongFunction<Values> messages(int bytes) {
        SplittableRandom random = new SplittableRandom(bytes);
        byte[][] messages = new byte[PREPARED][bytes];
        for (byte[] message : messages) {
            random.nextBytes(message);
        }
        return number -> new Values((Object) messages[(int) number & (PREPARED - 1)]);
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(bolt(shape.levels()), TaskCounter.RECEIVED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long emitted = run.sum(SPOUT, TaskCounter.EMITTED);
        CountCheck check = new CountCheck().completed(run, shape.acked());
        for (int level = 1; level <= shape.levels(); level++) {
            check.arrived(run, emitted, bolt(level));
        }
        return check.problems();
    }

    private static String bolt(int level) {
        return "bolt-" + level;
    }

    /** Acks its input. */
    private static class SinkBolt extends BaseRichBolt {

        private static final long serialVersionUID = 1L;

        private final String runId;
        transient OutputCollector collector;
        private transient BenchTaskCounters probe;

        SinkBolt(String runId) {
            this.runId = runId;
        }

        @Override
        public final void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            probe = BenchRunState.of(runId).probe(context);
        }

        @Override
        public final void execute(Tuple tuple) {
            forward(tuple);
            collector.ack(tuple);
            probe.received(tuple);
        }

        void forward(Tuple tuple) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Forwards each tuple, anchored when messages are tracked. */
    private static final class ForwardBolt extends SinkBolt {

        private static final long serialVersionUID = 1L;

        private final boolean anchored;

        ForwardBolt(String runId, boolean anchored) {
            super(runId);
            this.anchored = anchored;
        }

        @Override
        void forward(Tuple tuple) {
            Values values = new Values(tuple.getValue(0));
            if (anchored) {
                collector.emit(tuple, values);
            } else {
                collector.emit(values);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(MESSAGE));
        }
    }
}
