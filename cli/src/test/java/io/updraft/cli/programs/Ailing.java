package io.updraft.cli.programs;

import java.util.Locale;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Works for a while, then fails in the way that its argument names. It prints {@code fails now} just before. The spout is
 * {@code numbers}, the bolt is {@code sink}.
 */
public final class Ailing {
    /** What the program prints when its failure begins. */
    public static final String FAILS_NOW = "fails now";

    private static final int HEALTHY_TUPLES = 1_000;
    private static final int HUGE_BYTES = 200 << 20;
    private static final long LATER_NANOS = 6_000_000_000L;

    /** The ways to fail. */
    public enum Way {
        SLEEPING_BOLT,
        ENDLESS_LOOP,
        STACK_OVERFLOW,
        ENDLESS_SPOUT,
        THROWING_SPOUT,
        HUGE_TUPLE,
        UNSERIALIZABLE_VALUE,
        FAILED_MESSAGES,

        /** Some seconds after the start. */
        EXIT_LATER
    }

    private Ailing() {}

    /**
     * Runs the program.
     *
     * @param args the way to fail
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        Way way = Way.valueOf(args[0].toUpperCase(Locale.ROOT));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new AilingSpout(way));
        IRichBolt sink = new AilingBolt(way);
        builder.setBolt("sink", sink).shuffleGrouping("numbers");
        StormSubmitter.submitTopology("ailing", CliPrograms.conf(), builder.createTopology());
    }

    private static final class AilingSpout extends ProgramSpout {
        private static final long serialVersionUID = 1L;
        private final Way way;
        private long next;

        AilingSpout(Way way) {
            super("number");
            this.way = way;
        }

        @Override
        public void nextTuple() {
            out.emit(new Values(value()), ++next);
        }

        private Object value() {
            boolean ails = next == HEALTHY_TUPLES;
            return switch (way) {
                case ENDLESS_SPOUT -> ails ? waitForAnAnswer() : next;
                case THROWING_SPOUT -> next >= HEALTHY_TUPLES ? readFromAClosedConnection() : next;
                case HUGE_TUPLE -> ails ? announced(new byte[HUGE_BYTES]) : next;
                case UNSERIALIZABLE_VALUE -> ails ? announced(new Connection(next)) : next;
                default -> next;
            };
        }

        private Object waitForAnAnswer() {
            say();
            sleepForever();
            return next;
        }

        private Object readFromAClosedConnection() {
            say();
            throw new IllegalStateException("the connection is closed");
        }

        private static Object announced(Object value) {
            say();
            return value;
        }

        @Override
        public void fail(Object messageId) {
            if (way == Way.FAILED_MESSAGES) {
                out.emit(new Values(messageId), messageId);
            }
        }
    }

    /** Has no constructor that a serializer could call, and is not serializable. */
    private record Connection(Object peer) {}

    private static final class AilingBolt extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private final Way way;
        private transient int executed;
        private final long begin = System.nanoTime();
        private volatile long rounds;

        AilingBolt(Way way) {
            this.way = way;
        }

        @Override
        public void execute(Tuple tuple) {
            if (++executed > HEALTHY_TUPLES && ails(tuple)) {
                return;
            }
            out.ack(tuple);
        }

        private boolean ails(Tuple tuple) {
            switch (way) {
                case SLEEPING_BOLT -> {
                    say();
                    sleepForever();
                }
                case ENDLESS_LOOP -> {
                    say();
                    loopForever();
                }
                case STACK_OVERFLOW -> {
                    say();
                    recurse(0);
                }
                case EXIT_LATER -> {
                    if (System.nanoTime() - begin > LATER_NANOS) {
                        System.exit(3);
                    }
                }
                case FAILED_MESSAGES -> {
                    say();
                    out.fail(tuple);
                    return true;
                }
                default -> {
                    return false;
                }
            }
            return false;
        }

        private void loopForever() {
            while (rounds >= 0) {
                rounds++;
            }
        }

        private static long recurse(long depth) {
            return recurse(depth + 1) + 1;
        }
    }

    private static void say() {
        System.out.println(FAILS_NOW);
    }

    private static void sleepForever() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
