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

/** Has markup and scripts in all its names, keys and errors. */
public final class Marking {
    /** Sets a variable of the page that takes it for markup. */
    public static final String MARKUP = "<img src=x onerror='window.marked=1'>";

    /** Ids of bolts. */
    public static final List<String> IDS = List.of(
            MARKUP,
            "javascript:alert(1)",
            "constructor",
            "a/b?c=d&e#f",
            "100%",
            "%2F",
            "\u202Eright",
            "two\nlines",
            "..");

    private Marking() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new Source(), 1);
        for (String id : IDS) {
            builder.setBolt(id, new Failing(), 1).fieldsGrouping("spout", MARKUP, new Fields(MARKUP));
        }
        StormSubmitter.submitTopology(MARKUP.replace(".", " "), CliPrograms.conf(), builder.createTopology());
    }

    static final class Source extends ProgramSpout {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextTuple() {
            Utils.sleep(20);
            out.emit(MARKUP, new Values(MARKUP), MARKUP);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream(MARKUP, new Fields(MARKUP));
        }
    }

    static final class Failing extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            Thread.currentThread().setName(MARKUP);
            throw new ReportedFailedException(MARKUP);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
