package io.updraft.plugin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.apache.storm.windowing.TupleWindow;

/** Programs with the features that Storm builds on its API: other languages, windows, Trident with its state, DRPC. */
@SuppressWarnings("serial")
public final class StormFeatureTopologies {
    static final String FUNCTION = "count";
    static final int WINDOW = 10;

    private StormFeatureTopologies() {}

    /** Submits one: kind, directory of the notes. */
    public static void main(String[] args) throws Exception {
        Config conf = new Config();
        conf.setNumWorkers(2);
        StormSubmitter.submitTopology(args[0], conf, args[0].equals("shell") ? shell(args[1]) : trident());
    }

    private static StormTopology shell(String directory) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new Words());
        builder.setBolt("exclaim", new Exclaim(), 2).shuffleGrouping("words");
        builder.setBolt("windows", new Windows(directory).withTumblingWindow(BaseWindowedBolt.Count.of(WINDOW)))
                .shuffleGrouping("exclaim");
        return builder.createTopology();
    }

    /** Counts words in a state that DRPC asks. */
    @SuppressWarnings("unchecked") // a varargs parameter of Storm's
    private static StormTopology trident() {
        FixedBatchSpout spout = new FixedBatchSpout(
                new Fields("word"), 3, new Values("cow"), new Values("moon"), new Values("cow"), new Values("owl"));
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("words", spout)
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
                .parallelismHint(2);
        topology.newDRPCStream(FUNCTION)
                .groupBy(new Fields("args"))
                .stateQuery(counts, new Fields("args"), new MapGet(), new Fields("count"));
        return topology.build();
    }

    /** Emits a word now and then. */
    static final class Words extends BaseRichSpout {
        private transient SpoutOutputCollector collector;
        private transient int next;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values("word"), next++);
            Utils.sleep(10);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** In Python. */
    static final class Exclaim extends ShellBolt implements IRichBolt {
        Exclaim() {
            super("python3", "exclaim.py");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return new HashMap<>();
        }
    }

    /** Notes what is in a window. */
    static final class Windows extends BaseWindowedBolt {
        private final String directory;

        Windows(String directory) {
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            // It emits nothing.
        }

        @Override
        public void execute(TupleWindow window) {
            List<String> words = window.get().stream()
                    .map(tuple -> tuple.getString(0))
                    .distinct()
                    .toList();
            WorkerRecords.note(directory, "window", window.get().size() + " " + words);
        }
    }
}
