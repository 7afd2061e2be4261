package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import java.util.List;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;

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

    /** Used by reflection. */
    public SpeedOfLightTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(
                SPOUT,
                shape.openLoop() ? new PacedSpout(runId, shape) : new MessageSpout(runId, shape),
                shape.spouts());
        String upstream = SPOUT;
        for (int level = 1; level <= shape.levels(); level++) {
            builder.setBolt(bolt(level), boltOf(shape, runId, level), shape.bolts())
                    .shuffleGrouping(upstream);
            upstream = bolt(level);
        }
        return builder.createTopology();
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

    private static IRichBolt boltOf(Shape shape, String runId, int level) {
        return level == shape.levels() ? new SinkBolt(runId) : new ForwardBolt(runId, shape.acked());
    }

    private static String bolt(int level) {
        return "bolt-" + level;
    }
}
