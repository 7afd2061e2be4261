package io.updraft.messaging.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits tuples faster than the bolt processes them, without acks. It emits at least a given number, and continues until a file
 * says that the load of the bolt was reported. The last tuple is marked as the last. It emits none if a file says that all have
 * arrived. The rate is limited, because on a busy machine the stop signal takes a while to arrive.
 */
@SuppressWarnings("serial")
final class FloodSpout extends BaseRichSpout {

    private static final int BURST = 100;
    private static final long PAUSE_NANOS = 16_000_000;

    private final int least;
    private final String load;
    private final String all;
    private transient SpoutOutputCollector collector;
    private transient int emitted;
    private transient boolean over;
    private transient long emittedAt;

    FloodSpout(int least, String load, String all) {
        this.least = least;
        this.load = load;
        this.all = all;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        emittedAt = System.nanoTime();
        emitted = 0;
        over = Files.exists(Path.of(all));
    }

    @Override
    public void nextTuple() {
        long now = System.nanoTime();
        if (!over && now - emittedAt > PAUSE_NANOS) {
            emittedAt = now;
            over = emitted + BURST >= least && Files.exists(Path.of(load));
            for (int end = emitted + BURST; emitted < end; emitted++) {
                collector.emit(new Values(emitted, over && emitted == end - 1));
            }
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number", "last"));
    }
}
