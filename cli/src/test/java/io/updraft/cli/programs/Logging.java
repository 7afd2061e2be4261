package io.updraft.cli.programs;

import java.util.Map;
import org.apache.storm.StormSubmitter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two components of one class, which log by SLF4J. */
public final class Logging {
    private static final Logger LOG = LoggerFactory.getLogger(Logging.class);

    private Logging() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new CliPrograms.Numbers());
        builder.setBolt("count", new LoggingBolt()).shuffleGrouping("numbers");
        builder.setBolt("total", new LoggingBolt()).shuffleGrouping("numbers");
        StormSubmitter.submitTopology("numbers", CliPrograms.conf(), builder.createTopology());
    }

    private static final class LoggingBolt extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private transient String name;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            super.prepare(conf, context, collector);
            name = context.getThisComponentId();
            LOG.warn("prepared as {}", name);
            new Thread(() -> LOG.warn("on a thread of {}", name), "helper").start();
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getLong(0) == 0) {
                LOG.warn("first number of {}", name);
            }
            out.ack(tuple);
        }
    }
}
