package io.updraft.cli.programs;

import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/** Two bolts use the processor and allocate, each in a method of its own. They have a superclass in common. */
public final class Burning {
    private static final int ROUNDS = 100_000;
    private static final int BYTES = 100_000;

    private Burning() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new CliPrograms.Numbers());
        builder.setBolt("sink", new Xoring()).shuffleGrouping("numbers");
        builder.setBolt("other", new Multiplying()).shuffleGrouping("numbers");
        StormSubmitter.submitTopology("burning", CliPrograms.conf(), builder.createTopology());
    }

    private abstract static class Working extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private transient boolean executed;

        @Override
        public void execute(Tuple tuple) {
            if (work(tuple.getLong(0)) != 0 && !executed) {
                executed = true;
                System.out.println(getClass().getSimpleName() + " runs");
            }
            out.ack(tuple);
        }

        abstract long work(long seed);
    }

    private static final class Xoring extends Working {
        private static final long serialVersionUID = 1L;

        @Override
        long work(long seed) {
            return xorshiftLoop(seed + 1) + fillWithZeros().length;
        }

        private static long xorshiftLoop(long seed) {
            long value = seed;
            for (int i = 0; i < ROUNDS; i++) {
                value ^= value << 13;
                value ^= value >>> 7;
                value ^= value << 17;
            }
            return value;
        }

        private static byte[] fillWithZeros() {
            return new byte[BYTES];
        }
    }

    private static final class Multiplying extends Working {
        private static final long serialVersionUID = 1L;

        @Override
        long work(long seed) {
            return congruentialLoop(seed) + growWithRoom().length;
        }

        private static long congruentialLoop(long seed) {
            long value = seed;
            for (int i = 0; i < ROUNDS; i++) {
                value = value * 6364136223846793005L + 1442695040888963407L;
            }
            return value;
        }

        private static byte[] growWithRoom() {
            return new byte[BYTES];
        }
    }
}
