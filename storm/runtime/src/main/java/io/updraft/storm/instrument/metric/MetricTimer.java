package io.updraft.storm.instrument.metric;

import java.util.HashSet;
import java.util.Set;
import org.apache.storm.StormTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's timer for the intervals of metrics; starts with the first interval. The timer runs on Storm's time, simulated or
 * real.
 */
final class MetricTimer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MetricTimer.class);

    private final String name;
    private final Set<Integer> intervals = new HashSet<>();
    private StormTimer timer;
    private boolean closed;

    MetricTimer(String name) {
        this.name = name;
    }

    /** Runs an action at an interval, unless an action with that interval is scheduled already. */
    synchronized void every(int seconds, Runnable action) {
        if (closed || !intervals.add(seconds)) {
            return;
        }
        if (timer == null) {
            timer = new StormTimer(name, (thread, error) -> LOG.error("the metrics timer has died", error));
        }
        timer.scheduleRecurring(seconds, seconds, () -> doSafely(action));
    }

    /** Catches failures: an exception would end the timer. */
    private static void doSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("cannot collect metrics", e);
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
