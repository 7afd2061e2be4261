package io.updraft.messaging;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import io.updraft.transport.Address;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Constants;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * Registers the counts of one connection as metrics, if there is a registry, under the names of Storm's own transport; {@code
 * maybeLostFrames} is additional.
 */
record SendGauges(StormMetricRegistry registry, Set<Metric> metrics) {

    private static final String PREFIX = "__send-iconnection-";

    static SendGauges register(StormMetricRegistry registry, Address to, SendCounts counts, SendQueue queue) {
        SendGauges gauges = new SendGauges(registry, new HashSet<>());
        gauges.add("reconnects", to, counts.connections()::get);
        gauges.add("sent", to, counts.sent()::get);
        gauges.add("pending", to, () -> (long) queue.size());
        gauges.add("lostOnSend", to, counts.dropped()::get);
        gauges.add("maybeLostFrames", to, counts.maybeLostFrames()::get);
        return gauges;
    }

    private void add(String name, Address to, Gauge<Long> gauge) {
        if (registry != null) {
            registry.gauge(
                    PREFIX + name + "-" + to.host() + ":" + to.port(), gauge, Constants.SYSTEM_COMPONENT_ID, (int)
                            Constants.SYSTEM_TASK_ID);
            metrics.add(gauge);
        }
    }

    void remove() {
        if (registry != null) {
            registry.deregister(metrics);
        }
    }

    /**
     * Counts of the messages to one worker: taken by the session, dropped; of frames in flight when the connection was lost;
     * and of times that it was opened. Any thread.
     */
    record SendCounts(AtomicLong sent, AtomicLong dropped, AtomicLong maybeLostFrames, AtomicLong connections) {
        SendCounts() {
            this(new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong());
        }
    }
}
