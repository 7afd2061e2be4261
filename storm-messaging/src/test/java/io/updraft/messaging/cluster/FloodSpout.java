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

/** Emits a number of tuples as fast as it may, and nobody acks them; none if a file says that all have arrived. */
final class FloodSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1L;

    private final int count;
    private final String all;
    private transient SpoutOutputCollector collector;
    private transient int emitted;

    FloodSpout(int count, String all) {
        this.count = count;
        this.all = all;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        emitted = Files.exists(Path.of(all)) ? count : 0;
    }

    @Override
    public void nextTuple() {
        if (emitted < count) {
            collector.emit(new Values(emitted++));
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number"));
    }
}
