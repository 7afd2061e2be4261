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
 * Registers the counts of one connection as metrics, under the names of Storm's own transport; {@code maybeLostFrames} is
 * additional.
 *
 * @param registry the registry, or null to register nothing
 * @param metrics the registered metrics
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
     * Counts of the messages to one worker. Any thread.
     *
     * @param sent messages that the session has taken
     * @param dropped messages that were dropped
     * @param maybeLostFrames frames that were in flight when the connection was lost
     * @param connections times that the connection was opened
     */
    record SendCounts(AtomicLong sent, AtomicLong dropped, AtomicLong maybeLostFrames, AtomicLong connections) {
        SendCounts() {
            this(new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong());
        }
    }
}
