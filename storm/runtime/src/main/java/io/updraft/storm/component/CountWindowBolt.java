package io.updraft.storm.component;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IWindowedBolt;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.WindowLifecycleListener;
import org.apache.storm.windowing.WindowManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's windowed bolt with a {@link CountWindow} in place of its window manager when length and interval are counts of
 * tuples. The manager took 60% of the time of such a topology. All other behaviour is Storm's. Windows with durations,
 * timestamps or state are not changed.
 */
final class CountWindowBolt extends WindowedBoltExecutor {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CountWindowBolt.class);

    private transient WindowLifecycleListener<Tuple> listener;
    private transient CountWindow<Tuple> window;

    private CountWindowBolt(IWindowedBolt bolt) {
        super(bolt);
    }

    /**
     * Returns a replacement of an instance that is Storm's bolt for windows without timestamps and state, else the instance.
     */
    public static Object inPlaceOfWindowed(Object instance) {
        if (instance.getClass() != WindowedBoltExecutor.class) {
            return instance;
        }
        try {
            IWindowedBolt bolt = (IWindowedBolt) read(instance, "bolt");
            boolean plain = read(instance, "timestampExtractor") == null && bolt.getTimestampExtractor() == null;
            return plain ? new CountWindowBolt(bolt) : instance;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("this version of Storm is unknown: windows run on Storm's own, slower window manager", e);
            return instance;
        }
    }

    private static Object read(Object executor, String name) throws ReflectiveOperationException {
        Field field = WindowedBoltExecutor.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(executor);
    }

    /** Storm still creates its window manager and checks the settings. With a {@link CountWindow} the manager stays empty. */
    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        super.prepare(conf, context, collector);
        Object length = conf.get(Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_COUNT);
        Object slide = conf.get(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_COUNT);
        boolean timed = slide == null && conf.containsKey(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS);
        if (length != null && !timed) {
            // Without an interval, Storm uses one tuple.
            window = new CountWindow<>(
                    listener, ((Number) length).intValue(), slide == null ? 1 : ((Number) slide).intValue());
        }
    }

    @Override
    protected WindowLifecycleListener<Tuple> newWindowLifecycleListener() {
        listener = super.newWindowLifecycleListener();
        return listener;
    }

    @Override
    public void execute(Tuple input) {
        if (window == null) {
            super.execute(input);
        } else {
            window.add(input);
        }
    }

    /**
     * A sliding window over a count of tuples: the last {@code length} tuples, every {@code slide} tuples. Calls its listener
     * exactly as Storm's {@link WindowManager} with a {@code CountEvictionPolicy} and a {@code CountTriggerPolicy} does, even when
     * the listener throws. Storm's manager keeps an event for each tuple in a concurrent queue, counts it in two atomic numbers and
     * reads the clock, because a timer thread closes time windows. A count window is closed by the thread that adds the tuple, so
     * this class needs none of that.
     *
     * <p>Used by one thread at a time.
     */
    static final class CountWindow<T> {

        private final WindowLifecycleListener<T> listener;
        private final int length;
        private final int slide;

        private final ArrayDeque<T> kept = new ArrayDeque<>();

        /** Tuples that have expired since the last window, reported with the next window. */
        private List<T> expired = new ArrayList<>();

        private int sinceWindow;
        private int sinceLook;
        private int unseen;

        CountWindow(WindowLifecycleListener<T> listener, int length, int slide) {
            this.listener = listener;
            this.length = length;
            this.slide = slide;
        }

        void add(T tuple) {
            kept.add(tuple);
            unseen++;
            if (++sinceWindow >= slide) {
                close();
                // Reset only now: after an exception of the listener the next tuple closes a window too, as in Storm.
                sinceWindow = 0;
            }
            if (++sinceLook >= WindowManager.EXPIRE_EVENTS_THRESHOLD) {
                expire();
            }
        }

        private void close() {
            expire();
            List<T> gone = expired;
            expired = new ArrayList<>();
            List<T> all = new ArrayList<>(kept);
            List<T> added = new ArrayList<>(all.subList(Math.max(0, all.size() - unseen), all.size()));
            unseen = 0;
            if (!all.isEmpty()) {
                listener.onActivation(all, added, gone, System.currentTimeMillis());
            }
        }

        private void expire() {
            sinceLook = 0;
            if (kept.size() <= length) {
                return;
            }
            List<T> gone = new ArrayList<>(kept.size() - length);
            while (kept.size() > length) {
                gone.add(kept.poll());
            }
            expired.addAll(gone);
            listener.onExpiry(gone);
        }
    }
}
