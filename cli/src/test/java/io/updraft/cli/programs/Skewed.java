package io.updraft.cli.programs;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Counts words on four tasks, which look up each word for a while. The first argument is the percentage of the words that are "the"; the others are even. */
public final class Skewed {
    private Skewed() {}

    /**
     * Runs the program.
     *
     * @param args the percentage
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new Words(Integer.parseInt(args[0])), 2);
        builder.setBolt("count", new Count(), 4).fieldsGrouping("words", new Fields("word", "day"));
        StormSubmitter.submitTopology("skewed", CliPrograms.conf(), builder.createTopology());
    }

    static final class Words extends ProgramSpout {
        private static final long serialVersionUID = 1L;
        private final int percent;

        Words(int percent) {
            super("word", "day");
            this.percent = percent;
        }

        @Override
        public void nextTuple() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String word = random.nextInt(100) < percent ? "the" : "word-" + random.nextInt(10_000);
            out.emit(new Values(word, 3), word);
        }
    }

    static final class Count extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private static final long LOOK_UP_NANOS = 300_000;
        private long count;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            LockSupport.parkNanos(LOOK_UP_NANOS);
            if (++count == 2_000) {
                System.out.println("counted");
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
