package io.updraft.storm;

import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Constants;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Components that count their calls in static fields, which a test reads. One test at a time. */
@SuppressWarnings("serial")
public final class RunningComponents {
    static final AtomicLong EMITTED = new AtomicLong();
    public static final AtomicLong ACKED = new AtomicLong();
    static final AtomicLong TICKS = new AtomicLong();
    static final AtomicInteger OPENED = new AtomicInteger();
    static final AtomicInteger CLOSED = new AtomicInteger();
    private static volatile Runnable onTuple = () -> {};

    private RunningComponents() {}

    /** Forgets all counts; each tuple that the sink takes runs {@code action}. */
    public static void reset(Runnable action) {
        EMITTED.set(0);
        ACKED.set(0);
        TICKS.set(0);
        OPENED.set(0);
        CLOSED.set(0);
        onTuple = action;
    }

    /** Options that kill a topology within a time. */
    public static KillOptions within(int seconds) {
        KillOptions options = new KillOptions();
        options.set_wait_secs(seconds);
        return options;
    }

    /** Two spouts of numbers, two sinks that ack. */
    public static StormTopology numbers() {
        return builder().createTopology();
    }

    public static TopologyBuilder builder() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(), 2);
        builder.setBolt("sink", new Sink(), 2).shuffleGrouping("numbers");
        return builder;
    }

    /** Emits upwards from 0 with message ids. */
    static final class Numbers extends TestSpout {
        private long next;

        Numbers() {
            super("number");
        }

        @Override
        protected void opened() {
            OPENED.incrementAndGet();
        }

        @Override
        public void nextTuple() {
            EMITTED.incrementAndGet();
            out.emit(new Values(next), next);
            next++;
        }

        @Override
        public void ack(Object messageId) {
            ACKED.incrementAndGet();
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    /** Acks everything and counts ticks. */
    static final class Sink extends TestBolt {
        @Override
        protected void prepared() {
            OPENED.incrementAndGet();
        }

        @Override
        public void execute(Tuple input) {
            if (input.getSourceStreamId().equals(Constants.SYSTEM_TICK_STREAM_ID)) {
                TICKS.incrementAndGet();
            } else {
                onTuple.run();
            }
            out.ack(input);
        }

        @Override
        public void cleanup() {
            CLOSED.incrementAndGet();
        }
    }
}
