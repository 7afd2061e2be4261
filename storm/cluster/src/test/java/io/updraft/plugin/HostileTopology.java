package io.updraft.plugin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;

/** A program with a component that breaks a rule once. */
@SuppressWarnings("serial")
public final class HostileTopology {
    static final int HUGE = 20 << 20;

    private HostileTopology() {}

    /** Submits it: what the component does, which is the topology's name, too; the directory of the notes. */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new StormFeatureTopologies.Words());
        builder.setBolt("hostile", new Hostile(args[0], args[1])).shuffleGrouping("source");
        builder.setBolt("sink", new Sink(args[1])).shuffleGrouping("hostile");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, "-Xmx192m");
        StormSubmitter.submitTopology(args[0], conf, builder.createTopology());
    }

    /** Behaves from the second start on. */
    static final class Hostile extends BaseRichBolt {
        private final String deed;
        private final String directory;
        private transient OutputCollector collector;

        Hostile(String deed, String directory) {
            this.deed = deed;
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
        }

        @Override
        public void execute(Tuple tuple) {
            if (!Files.exists(Path.of(directory, "done-" + deed))) {
                WorkerRecords.note(
                        directory, "done-" + deed, ProcessHandle.current().pid());
                act();
            }
            collector.emit(tuple, new Values(new byte[1]));
            collector.ack(tuple);
        }

        private void act() {
            switch (deed) {
                case "exit" -> System.exit(3);
                case "throws" -> throw new IllegalStateException("a component threw this");
                case "memory" -> fill();
                case "huge" -> collector.emit(new Values(new byte[HUGE]));
                case "sleeps" -> Utils.sleep(Long.MAX_VALUE);
                default ->
                    new Thread(() -> {
                                throw new IllegalStateException("a thread threw this");
                            })
                            .start();
            }
        }

        private static void fill() {
            List<byte[]> all = new ArrayList<>();
            while (true) {
                all.add(new byte[1 << 20]);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("bytes"));
        }
    }

    /** Notes what is long. */
    static final class Sink extends BaseRichBolt {
        private final String directory;
        private transient OutputCollector collector;
        private transient boolean noted;

        Sink(String directory) {
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
        }

        @Override
        public void execute(Tuple tuple) {
            int length = tuple.getBinary(0).length;
            if (length > 1 || !noted) {
                noted = true;
                WorkerRecords.note(directory, "sink-" + ProcessHandle.current().pid(), length);
            }
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
