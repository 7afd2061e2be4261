package io.updraft.engine.window;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IWindowedBolt;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.WindowLifecycleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's bolt for windows, with a {@link CountWindow} in place of its window manager if length and interval are numbers of
 * tuples: the manager was six tenths of what such a topology does. All else is Storm's, and windows with times, timestamps or
 * state are left as they are.
 */
public final class CountWindowBolt extends WindowedBoltExecutor {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CountWindowBolt.class);

    private transient WindowLifecycleListener<Tuple> listener;
    private transient CountWindow<Tuple> window;

    private CountWindowBolt(IWindowedBolt bolt) {
        super(bolt);
    }

    /**
     * Puts this in the place of an instance if it is a bolt of Storm's for plain windows.
     *
     * @param instance a component that has just been made, not yet prepared
     * @return what to run in its place
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
            LOG.warn("this Storm is not the one that is known: its windows run as they are, slower", e);
            return instance;
        }
    }

    private static Object read(Object from, String name) throws ReflectiveOperationException {
        Field field = WindowedBoltExecutor.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(from);
    }

    /** Storm makes its window manager all the same, and checks the settings; where ours takes over it stays empty. */
    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        super.prepare(conf, context, collector);
        Object length = conf.get(Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_COUNT);
        Object slide = conf.get(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_COUNT);
        boolean timed = slide == null && conf.containsKey(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS);
        if (length != null && !timed) {
            // Without any interval Storm's is one tuple.
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
}
