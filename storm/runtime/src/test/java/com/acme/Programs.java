package com.acme;

import io.updraft.storm.UpdraftCluster;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.ConfigurableTopology;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Programs as users write them, for tests that pack them into a jar; none knows of Updraft. */
@SuppressWarnings("serial")
public final class Programs {
    private Programs() {}

    /** A spout of numbers and a bolt that acks them, under the name given as the first argument. */
    public static final class Submits {
        private Submits() {}

        public static void main(String[] args) throws Exception {
            Config conf = new Config();
            conf.setMaxSpoutPending(100);
            StormSubmitter.submitTopology(args[0], conf, builder().createTopology());
        }
    }

    /** The same with Storm's progress bar. */
    public static final class SubmitsWithProgressBar {
        private SubmitsWithProgressBar() {}

        public static void main(String[] args) throws Exception {
            StormSubmitter.submitTopologyWithProgressBar(
                    args[0], new Config(), builder().createTopology());
        }
    }

    /** The same through {@link ConfigurableTopology}, which swallows refusals. */
    public static final class Configurable extends ConfigurableTopology {
        public static void main(String[] args) {
            ConfigurableTopology.start(new Configurable(), args);
        }

        @Override
        protected int run(String[] args) {
            return submit(args[0], conf, builder());
        }
    }

    /** Subscribes to a component that does not exist. */
    public static final class SubmitsNonsense {
        private SubmitsNonsense() {}

        public static void main(String[] args) throws Exception {
            TopologyBuilder builder = builder();
            builder.setBolt("lost", new Sink()).shuffleGrouping("nowhere");
            StormSubmitter.submitTopology(args[0], new Config(), builder.createTopology());
        }
    }

    /** Throws. */
    public static final class Fails {
        private Fails() {}

        public static void main(String[] args) {
            throw new IllegalStateException("no input given\nsee the manual");
        }
    }

    /** Makes a cluster for itself, and ends it. */
    public static final class HasItsOwnCluster {
        private HasItsOwnCluster() {}

        public static void main(String[] args) throws Exception {
            try (UpdraftCluster cluster = new UpdraftCluster()) {
                TopologyBuilder builder = builder();
                cluster.submitTopology("own", new Config(), builder.createTopology());
            }
        }
    }

    /** Loads a native library, and submits nothing. */
    public static final class LoadsALibrary {
        private LoadsALibrary() {}

        public static void main(String[] args) {
            System.loadLibrary(args[0]);
            System.setProperty("programs.library", args[0]);
        }
    }

    /** Leaves what it saw of its surroundings in system properties, and submits nothing. */
    public static final class LooksAround {
        private LooksAround() {}

        public static void main(String[] args) {
            System.setProperty("programs.args", String.join(",", args));
            System.setProperty("programs.jar", System.getProperty("storm.jar"));
            ClassLoader own = LooksAround.class.getClassLoader();
            System.setProperty(
                    "programs.own-loader", "" + (own == Thread.currentThread().getContextClassLoader()));
            System.setProperty("programs.storm-shared", "" + (own != StormSubmitter.class.getClassLoader()));
        }
    }

    /** Has a main that is not static. */
    public static final class NotStatic {
        public void main(String[] args) {}
    }

    /** Has no main. */
    public static final class NoMain {
        private NoMain() {}
    }

    private static TopologyBuilder builder() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers());
        builder.setBolt("sink", new Sink()).shuffleGrouping("numbers");
        return builder;
    }

    /** Counts upwards, with message ids. */
    public static final class Numbers extends BaseRichSpout {
        private transient SpoutOutputCollector collector;
        private long next;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
            collector = out;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values(next), next);
            next++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Acks everything. */
    public static final class Sink extends BaseRichBolt {
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void execute(Tuple input) {
            collector.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
