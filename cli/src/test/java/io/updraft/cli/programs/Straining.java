package io.updraft.cli.programs;

import java.util.Locale;
import java.util.Map;
import org.apache.storm.StormSubmitter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Works, but not well, in the way that its argument names. The spout is {@code numbers}, the bolts are {@code fan} and {@code sink}.
 */
public final class Straining {
    private static final int FAN = 2_000;
    private static final long SLOW_NANOS = 50_000;
    private static final int OFTEN = 1_000;
    private static final long SLOW_START_MILLIS = 8_000;

    /** The ways to strain. */
    public enum Way {
        /** The bolt in the middle emits thousands of tuples for one, and the last bolt is slow. */
        FAN_OUT,
        /** A call of the bolt in the middle emits without end. */
        ENDLESS_EMITS,
        /** Calls of the last bolt sleep. */
        WAITING_CALLS,
        /** The last bolt reports errors, and goes on. */
        REPORTED_ERRORS,
        /** The last bolt fails each tenth tuple. */
        FAILED_TUPLES,
        /** The last bolt takes its time to prepare. */
        SLOW_START
    }

    private Straining() {}

    /**
     * Runs the program.
     *
     * @param args the way to strain
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        Way way = Way.valueOf(args[0].toUpperCase(Locale.ROOT));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new CliPrograms.Numbers());
        builder.setBolt("fan", new Fan(way)).shuffleGrouping("numbers");
        builder.setBolt("sink", new Strained(way)).shuffleGrouping("fan");
        StormSubmitter.submitTopology("straining", CliPrograms.conf(), builder.createTopology());
    }

    private static final class Fan extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private final Way way;

        Fan(Way way) {
            super("number");
            this.way = way;
        }

        @Override
        public void execute(Tuple tuple) {
            switch (way) {
                case FAN_OUT -> emit(tuple, FAN);
                case ENDLESS_EMITS -> emit(tuple, Integer.MAX_VALUE);
                default -> emit(tuple, 1);
            }
            out.ack(tuple);
        }

        private void emit(Tuple tuple, int count) {
            for (int i = 0; i < count; i++) {
                out.emit(tuple, new Values(tuple.getValue(0)));
            }
        }
    }

    private static final class Strained extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private final Way way;
        private transient int executed;

        Strained(Way way) {
            this.way = way;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            super.prepare(conf, context, collector);
            if (way == Way.SLOW_START) {
                sleep(SLOW_START_MILLIS);
            }
        }

        @Override
        public void execute(Tuple tuple) {
            executed++;
            switch (way) {
                case FAN_OUT, ENDLESS_EMITS -> spin();
                case WAITING_CALLS -> sleep(1);
                case REPORTED_ERRORS -> report();
                default -> sleep(0);
            }
            if (way == Way.FAILED_TUPLES && executed % 10 == 0) {
                out.fail(tuple);
            } else {
                out.ack(tuple);
            }
        }

        private static void spin() {
            long end = System.nanoTime() + SLOW_NANOS;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        private void report() {
            if (executed % OFTEN == 1) {
                out.reportError(new IllegalStateException("no rate for currency 17"));
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
