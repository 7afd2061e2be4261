package io.updraft.storm;

import io.updraft.engine.snapshot.EngineSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of components at moments of the past, and from them the counts within Storm's windows. As in Storm, a window is
 * divided into 20 steps and forgets one step at a time. A window is therefore up to one twentieth longer than its name says.
 *
 * <p>Safe to use from any thread.
 */
final class CountHistory {

    /** The step of the shortest window, in seconds. */
    static final int STEP_SECS = 30;

    static final String ALL_TIME = ":all-time";
    private static final int[] WINDOW_SECS = {600, 10_800, 86_400};
    private static final int STEPS = 20;
    private static final long JITTER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Integer, Deque<Sample>> samples = new HashMap<>();

    private record Sample(long uptimeNanos, List<WindowCounts> components) {}

    CountHistory() {
        for (int seconds : WINDOW_SECS) {
            samples.put(seconds, new ArrayDeque<>());
        }
    }

    /** Keeps a snapshot for each window whose step is over. */
    synchronized void record(EngineSnapshot snapshot) {
        Sample sample = new Sample(snapshot.uptimeNanos(), countsOf(snapshot));
        samples.forEach((seconds, kept) -> {
            long step = TimeUnit.SECONDS.toNanos(seconds) / STEPS;
            long last = kept.isEmpty() ? 0 : kept.getLast().uptimeNanos;
            // The keeper runs about once a step, a little sooner or later.
            if (sample.uptimeNanos - last > step - JITTER_NANOS) {
                kept.add(sample);
            }
            while (kept.size() > STEPS + 2) {
                kept.remove();
            }
        });
    }

    /**
     * Returns the counts by window, in the order of the components: {@value #ALL_TIME} and Storm's three, named by their
     * seconds.
     */
    synchronized Map<String, List<WindowCounts>> windows(EngineSnapshot snapshot) {
        Map<String, List<WindowCounts>> windows = new LinkedHashMap<>();
        List<WindowCounts> now = countsOf(snapshot);
        windows.put(ALL_TIME, now);
        for (int seconds : WINDOW_SECS) {
            Sample base = baseOf(seconds, snapshot.uptimeNanos());
            windows.put(String.valueOf(seconds), base == null ? now : since(now, base.components));
        }
        return windows;
    }

    /** Returns the current length of a window, in seconds: at most the age of the topology. */
    static double secondsOf(String window, EngineSnapshot snapshot) {
        double uptime = snapshot.uptimeNanos() / 1e9;
        return ALL_TIME.equals(window) ? uptime : Math.min(uptime, Integer.parseInt(window));
    }

    /** Returns the newest kept sample from before the window began; null if the window began before the topology. */
    private Sample baseOf(int seconds, long uptimeNanos) {
        long begin = uptimeNanos - TimeUnit.SECONDS.toNanos(seconds);
        Sample base = null;
        for (Sample sample : samples.get(seconds)) {
            if (sample.uptimeNanos <= begin) {
                base = sample;
            }
        }
        return base;
    }

    private static List<WindowCounts> since(List<WindowCounts> now, List<WindowCounts> before) {
        List<WindowCounts> difference = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            difference.add(now.get(i).since(before.get(i)));
        }
        return difference;
    }

    /** Creates a timer with a daemon thread. */
    static ScheduledExecutorService timer(String name) {
        return Executors.newSingleThreadScheduledExecutor(job -> {
            Thread thread = new Thread(job, name);
            // Not the class loader of the submitting program: the thread would keep it after the topology's end.
            thread.setContextClassLoader(CountHistory.class.getClassLoader());
            thread.setDaemon(true);
            return thread;
        });
    }

    private static List<WindowCounts> countsOf(EngineSnapshot snapshot) {
        return snapshot.components().stream().map(WindowCounts::of).toList();
    }

    /**
     * Samples the counts of all topologies of a cluster once a step, for the counts of the last ten minutes and longer
     * windows.
     */
    static final class CountHistoryTimer implements AutoCloseable {
        private static final Logger LOG = LoggerFactory.getLogger(CountHistoryTimer.class);

        private final TopologyRegistry topologies;
        private final Duration step;
        private ScheduledExecutorService timer;

        CountHistoryTimer(TopologyRegistry topologies, Duration step) {
            this.topologies = topologies;
            this.step = step;
        }

        synchronized void start() {
            if (timer == null) {
                timer = timer("updraft-history");
                timer.scheduleAtFixedRate(this::sample, step.toNanos(), step.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void sample() {
            topologies.all().forEach(CountHistoryTimer::sample);
        }

        /** Catches everything: an exception that escapes would cancel the timer. */
        private static void sample(EmbeddedTopology topology) {
            try {
                topology.recordCounts();
            } catch (RuntimeException | Error e) {
                LOG.warn("cannot read the counts of topology '{}'; retrying at the next step", topology.name(), e);
            }
        }

        @Override
        public synchronized void close() {
            if (timer != null) {
                timer.shutdownNow();
            }
        }
    }
}
