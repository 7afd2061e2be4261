package io.updraft.kafka.spout;

import io.updraft.engine.testing.TestBolt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.Tuple;

/** A bolt that holds one value, or each value, until the test opens the gate, and then acks. One instance at a time. */
@SuppressWarnings("serial")
final class GateBolt extends TestBolt {

    private static volatile CountDownLatch open = new CountDownLatch(1);

    private final String value;
    private final long millis;

    /** Waits so long with a value; with each, if it is null. */
    GateBolt(String value, long millis) {
        this.value = value;
        this.millis = millis;
        open = new CountDownLatch(1);
    }

    static void open() {
        open.countDown();
    }

    @Override
    public void execute(Tuple tuple) {
        if (value == null || value.equals(tuple.getStringByField("value"))) {
            try {
                open.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        out.ack(tuple);
    }
}
