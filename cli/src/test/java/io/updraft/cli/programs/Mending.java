package io.updraft.cli.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.storm.StormSubmitter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Emits the numbers 0 to 99. The sink fails every tenth one until the file {@code mended} exists in the working directory. */
public final class Mending {
    private static final int NUMBERS = 100;

    private Mending() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Replaying());
        builder.setBolt("sink", new Mended()).shuffleGrouping("numbers");
        StormSubmitter.submitTopology("numbers", CliPrograms.conf(), builder.createTopology());
    }

    private static final class Replaying extends ProgramSpout {
        private static final long serialVersionUID = 1L;
        private transient Queue<Long> left;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            super.open(conf, context, spoutCollector);
            left = new ArrayDeque<>(LongStream.range(0, NUMBERS).boxed().toList());
        }

        @Override
        public void nextTuple() {
            if (!left.isEmpty()) {
                Long number = left.remove();
                out.emit(new Values(number), number);
            }
        }

        @Override
        public void fail(Object messageId) {
            left.add((Long) messageId);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Prints how many tuples it has acked, and how many numbers these had. */
    private static final class Mended extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private transient Set<Long> distinct;
        private transient int acked;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            super.prepare(conf, context, boltCollector);
            distinct = new HashSet<>();
        }

        @Override
        public void execute(Tuple tuple) {
            long number = tuple.getLong(0);
            if (number % 10 == 0 && !Files.exists(Path.of("mended"))) {
                out.fail(tuple);
                return;
            }
            out.ack(tuple);
            distinct.add(number);
            System.out.println(++acked + " acked, " + distinct.size() + " numbers");
        }
    }
}
