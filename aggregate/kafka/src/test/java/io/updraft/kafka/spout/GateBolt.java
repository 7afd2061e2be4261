package io.updraft.kafka.spout;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** A bolt that holds one value, or each value, until the test opens the gate, and then acks. One instance at a time. */
final class GateBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1L;
    private static volatile CountDownLatch open = new CountDownLatch(1);

    private final String value;
    private final long millis;
    private transient OutputCollector collector;

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
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
        collector = out;
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
        collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // It emits nothing.
    }
}
