package io.updraft.cli.programs;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** The parts of the tests' programs: a spout of numbers without end, and bolts that ack, fail or hold them. */
final class CliPrograms {
    private CliPrograms() {}

    /** The limit of messages in flight. The sink prints a line after this many tuples. */
    private static final int PENDING = 100;

    static void submit(IRichBolt bolt) throws Exception {
        StormSubmitter.submitTopology("numbers", conf(), topology(bolt));
        System.out.println("submitted");
    }

    static Config conf() {
        Config conf = new Config();
        conf.setMaxSpoutPending(PENDING);
        return conf;
    }

    static StormTopology topology(IRichBolt bolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers());
        builder.setBolt("sink", bolt).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    static final class Numbers extends ProgramSpout {
        private static final long serialVersionUID = 1L;
        private long next;

        @Override
        public void nextTuple() {
            out.emit(new Values(next), next++);
        }

        @Override
        public void close() {
            System.out.println("spout closed");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Acks, holds or throws. */
    static final class Sink extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private final boolean acks;
        private final String complaint;
        private transient int executed;

        Sink(boolean acks, String complaint) {
            this.acks = acks;
            this.complaint = complaint;
        }

        @Override
        public void execute(Tuple tuple) {
            if (complaint != null) {
                throw new IllegalStateException(complaint);
            }
            if (++executed == PENDING) {
                System.out.println("running");
            }
            if (acks) {
                out.ack(tuple);
            }
        }

        @Override
        public void cleanup() {
            System.out.println("sink cleaned up");
        }
    }
}
