package io.updraft.cli.programs;

import java.util.List;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.ReportedFailedException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.slf4j.LoggerFactory;

/** Has long names, keys, errors and log lines, without a place to break, and some that run from the right to the left. */
public final class LongNaming {
    /** Longer than a phone is wide. */
    public static final String LONG = "long-name_".repeat(12);

    /** Longer than any screen. */
    public static final String ENDLESS = "x".repeat(10_000);

    /** Right-to-left text with a control that would reverse what follows. */
    public static final String REVERSED = "\u05e9\u05dc\u05d5\u05dd\u202ereversed";

    /** Ids of bolts. */
    public static final List<String> IDS = List.of(LONG, ENDLESS, REVERSED);

    private LongNaming() {}

    /**
     * Runs the program.
     *
     * @param args the name of the topology
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout-" + LONG, new Source(), 1);
        for (String id : IDS) {
            builder.setBolt(id, new Failing(), 1).fieldsGrouping("spout-" + LONG, LONG, new Fields(LONG));
        }
        StormSubmitter.submitTopology(args[0], CliPrograms.conf(), builder.createTopology());
    }

    static final class Source extends ProgramSpout {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextTuple() {
            Utils.sleep(20);
            out.emit(LONG, new Values(ENDLESS), ENDLESS);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream(LONG, new Fields(LONG));
        }
    }

    static final class Failing extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            LoggerFactory.getLogger(LongNaming.class).warn("{} {}", ENDLESS, REVERSED);
            throw new ReportedFailedException(ENDLESS + REVERSED);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
