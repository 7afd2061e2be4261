package io.updraft.plugin;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
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
import org.apache.storm.utils.Utils;

/**
 * A program with a replayable source of endless numbers. It records which numbers were processed, and then which were acked. A
 * restarted spout continues with the numbers that are not recorded as acked.
 */
@SuppressWarnings("serial")
public final class NumberRecordingTopology {
    static final int SPOUTS = 2;
    static final String ACKED = "acked-";
    static final String PROCESSED = "processed-";

    private NumberRecordingTopology() {}

    /** Submits it: name, directory of the notes, number of workers. */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new Source(args[1]), SPOUTS);
        builder.setBolt("work", new Work(), 4).fieldsGrouping("source", new Fields("number"));
        builder.setBolt("done", new Done(args[1]), 2).shuffleGrouping("work");
        Config conf = new Config();
        conf.setNumWorkers(Integer.parseInt(args[2]));
        conf.setMaxSpoutPending(100);
        conf.setMessageTimeoutSecs(10);
        StormSubmitter.submitTopology(args[0], conf, builder.createTopology());
    }

    private static String nameOf(TopologyContext context) {
        return context.getThisTaskId() + "-" + ProcessHandle.current().pid();
    }

    /** Each task emits its share of the numbers, in order. */
    static final class Source extends BaseRichSpout {
        private final String directory;
        private transient SpoutOutputCollector collector;
        private transient String file;
        private transient BitSet acked;
        private transient int share;
        private transient int next;

        Source(String directory) {
            this.directory = directory;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
            file = ACKED + nameOf(context);
            share = context.getThisTaskIndex();
            acked = new BitSet();
            ProcessedNumbers ledger = new ProcessedNumbers(Path.of(directory));
            ledger.read();
            acked.or(ledger.acked());
        }

        @Override
        public void nextTuple() {
            int number;
            do {
                number = next++ * SPOUTS + share;
            } while (acked.get(number));
            emit(number);
            Utils.sleep(2);
        }

        private void emit(int number) {
            collector.emit(new Values(number), number);
        }

        @Override
        public void ack(Object number) {
            WorkerRecords.note(directory, file, number + " " + System.currentTimeMillis());
        }

        @Override
        public void fail(Object number) {
            emit((Integer) number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Passes on. */
    static final class Work extends BaseRichBolt {
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
        }

        @Override
        public void execute(Tuple tuple) {
            collector.emit(tuple, new Values(tuple.getInteger(0)));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Notes, and only then acks. */
    static final class Done extends BaseRichBolt {
        private final String directory;
        private transient OutputCollector collector;
        private transient String file;

        Done(String directory) {
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
            file = PROCESSED + nameOf(context);
        }

        @Override
        public void execute(Tuple tuple) {
            WorkerRecords.note(directory, file, tuple.getInteger(0) + " " + System.currentTimeMillis());
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
