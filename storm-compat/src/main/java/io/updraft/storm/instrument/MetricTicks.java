package io.updraft.storm.instrument;

import java.util.HashSet;
import java.util.Set;
import org.apache.storm.StormTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storm's timer for the buckets of metrics, started with the first of them. It keeps Storm's time, simulated or not. */
final class MetricTicks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MetricTicks.class);

    private final String name;
    private final Set<Integer> intervals = new HashSet<>();
    private StormTimer timer;
    private boolean closed;

    MetricTicks(String name) {
        this.name = name;
    }

    /** Does something each so many seconds, if nothing is done so often already. */
    synchronized void every(int seconds, Runnable action) {
        if (closed || !intervals.add(seconds)) {
            return;
        }
        if (timer == null) {
            timer = new StormTimer(name, (thread, error) -> LOG.error("the timer of metrics has ended", error));
        }
        timer.scheduleRecurring(seconds, seconds, () -> doSafely(action));
    }

    /** The timer must not end because of one failure. */
    private static void doSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("metrics could not be collected", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            try {
                timer.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            timer = null;
        }
    }
}
