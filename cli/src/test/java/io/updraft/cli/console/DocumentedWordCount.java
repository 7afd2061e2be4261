package io.updraft.cli.console;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** The topology of the examples in Storm's document, with an event logger and an error. */
public final class DocumentedWordCount {
    private static final int TASKS = 7;

    private DocumentedWordCount() {}

    /**
     * Submits the topology.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new TestWordSpout()).setNumTasks(TASKS);
        builder.setBolt("split", new Split()).setNumTasks(TASKS).shuffleGrouping("spout");
        builder.setBolt("count", new TestWordCounter()).setNumTasks(TASKS).fieldsGrouping("split", new Fields("word"));
        Config conf = new Config();
        conf.put(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, 1);
        StormSubmitter.submitTopology("wordcount", conf, builder.createTopology());
    }

    private static final class Split extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
            collector.reportError(new IllegalStateException("no such word"));
        }

        @Override
        public void execute(Tuple words) {
            for (String word : words.getString(0).split(" ")) {
                collector.emit(words, new Values(word));
            }
            collector.ack(words);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
