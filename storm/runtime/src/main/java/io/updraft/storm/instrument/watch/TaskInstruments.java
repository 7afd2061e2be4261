package io.updraft.storm.instrument.watch;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.storm.instrument.watch.Watcher.SpoutMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Time;

/**
 * The watchers of one instance of a component. Wraps the instance while there is any watcher. Watchers are added and removed on
 * the thread that runs the instance.
 */
public final class TaskInstruments implements TaskWrapper {
    private static final Watcher[] NO_WATCHERS = {};
    private static final Watcher IDLE_WATCHER = new Watcher() {};

    private final TopologyContext context;
    private final TaskControl control;
    private final RegisteredMetrics registered;
    private final boolean acking;
    private final BooleanSupplier sampler;
    private final ExecuteStartTimes starts = new ExecuteStartTimes();

    /** The number of messages in flight whose id is a stamp; the spout stays wrapped while there are any. */
    private final AtomicLong watchedInFlight = new AtomicLong();

    /** Copied on write: threads of the user read the array. */
    private volatile Watcher[] watchers = NO_WATCHERS;

    private volatile boolean timed;
    private boolean wrapped;
    private boolean spout;

    /** Reports errors to the engine, bypassing the watchers. */
    private volatile Consumer<Throwable> reporter = error -> {};

    /** Emits to the engine, bypassing the watchers; null before the instance was first wrapped. */
    private volatile BiConsumer<String, List<Object>> emitter;

    public TaskInstruments(
            TopologyContext context, Map<String, Object> conf, TaskControl control, RegisteredMetrics registered) {
        this.context = context;
        this.registered = registered;
        this.control = control;
        this.acking = StormCommon.hasAckers(conf);
        this.sampler = ConfigUtils.mkStatsSampler(conf);
    }

    /** Notes that the context has a hook: from now on hooks are called. Safe to use from any thread. */
    public void hooked() {
        control.run(() -> {
            if (find(TaskHookWatcher.class) == null) {
                add(new TaskHookWatcher(context, this::report));
            }
        });
    }

    public TaskControl control() {
        return control;
    }

    public int taskId() {
        return context.getThisTaskId();
    }

    /** Returns Storm's older metrics that the context has registered. */
    public RegisteredMetrics registered() {
        return registered;
    }

    public TopologyContext context() {
        return context;
    }

    // ------------------------------------------------------------------------- on the thread that runs the instance

    /** Adds a watcher after the existing ones. */
    public void add(Watcher watcher) {
        List<Watcher> all = new ArrayList<>(List.of(watchers));
        all.add(watcher);
        set(all);
    }

    /** Removes a watcher, if it is attached. */
    public void remove(Watcher watcher) {
        List<Watcher> all = new ArrayList<>(List.of(watchers));
        if (all.remove(watcher)) {
            set(all);
        }
    }

    /** Returns the watcher of a type, or null. */
    public <W extends Watcher> W find(Class<W> kind) {
        for (Watcher watcher : watchers) {
            if (kind.isInstance(watcher)) {
                return kind.cast(watcher);
            }
        }
        return null;
    }

    private void set(List<Watcher> all) {
        watchers = all.toArray(Watcher[]::new);
        timed = all.stream().anyMatch(Watcher::wantsTimes);
        rewrap();
    }

    private void rewrap() {
        boolean wanted = watchers.length > 0 || spout && watchedInFlight.get() > 0;
        if (wanted != wrapped) {
            wrapped = wanted;
            control.wrap(wanted ? this : null);
        }
    }

    /** Emits on a system stream, bypassing the watchers. */
    public void emit(String stream, List<Object> values) {
        if (emitter == null) {
            // Wrapping the task for a moment sets the emitter.
            add(IDLE_WATCHER);
            remove(IDLE_WATCHER);
        }
        emitter.accept(stream, values);
    }

    /** Reports an error of code that is not the component's own. */
    public void report(Throwable error) {
        reporter.accept(error);
    }

    // --------------------------------------------------------------------------------------------------- wrapping

    @Override
    public IBolt wrapBolt(IBolt bolt) {
        return new WatchedBolt(this, bolt);
    }

    @Override
    public ISpout wrapSpout(ISpout instance) {
        spout = true;
        return new WatchedSpout(this, instance);
    }

    @Override
    public IOutputCollector wrapCollector(IOutputCollector engine) {
        emitter = (stream, values) -> engine.emit(stream, null, values);
        reporter = engine::reportError;
        return new WatchedBoltCollector(this, engine);
    }

    @Override
    public ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
        emitter = (stream, values) -> engine.emit(stream, values, null);
        reporter = engine::reportError;
        return new WatchedSpoutCollector(this, engine);
    }

    // ---------------------------------------------------------------------------------------------- what is watched

    List<Object> emitting(String stream, List<Object> values) {
        List<Object> sent = values;
        for (Watcher watcher : watchers) {
            sent = watcher.emitting(stream, values, sent);
        }
        return sent;
    }

    public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
        for (Watcher watcher : watchers) {
            watcher.emitted(stream, values, messageId, tasks);
        }
    }

    /** Returns the message id for the engine. */
    Object watchedId(String stream, List<Object> values, Object messageId) {
        if (messageId == null || watchers.length == 0) {
            return messageId;
        }
        long since = timed && acking && sampler.getAsBoolean() ? Time.currentTimeMillis() : WatchedMessageId.NOT_TIMED;
        watchedInFlight.incrementAndGet();
        return new WatchedMessageId(messageId, stream, values, since);
    }

    void execute(IBolt bolt, Tuple input) {
        boolean sampled = timed && sampler.getAsBoolean();
        long start = 0;
        if (sampled) {
            start = Time.currentTimeMillis();
            starts.put(input, start);
        }
        Watcher[] all = watchers;
        for (Watcher watcher : all) {
            watcher.executing(input);
        }
        bolt.execute(input);
        long latency = sampled ? Time.deltaMs(start) : Watcher.NOT_SAMPLED;
        for (Watcher watcher : all) {
            watcher.executed(input, latency);
        }
    }

    void settling(Tuple input) {
        for (Watcher watcher : watchers) {
            watcher.settling(input);
        }
    }

    /** Reports an ack to the watchers. As in Storm, there are no acks without ackers. */
    void acked(Tuple input) {
        if (!acking) {
            return;
        }
        long latency = timed ? starts.take(input) : Watcher.NOT_SAMPLED;
        for (Watcher watcher : watchers) {
            watcher.acked(input, latency);
        }
    }

    void failed(Tuple input) {
        if (!acking) {
            return;
        }
        long latency = timed ? starts.take(input) : Watcher.NOT_SAMPLED;
        for (Watcher watcher : watchers) {
            watcher.failed(input, latency);
        }
    }

    public void spoutEnded(Object messageId, BiConsumer<Watcher, SpoutMessage> how) {
        SpoutMessage message = ended(messageId);
        for (Watcher watcher : watchers) {
            how.accept(watcher, message);
        }
        if (watchers.length == 0) {
            rewrap();
        }
    }

    private SpoutMessage ended(Object messageId) {
        if (!(messageId instanceof WatchedMessageId stamp)) {
            return new SpoutMessage(messageId, null, null, acking ? null : 0L);
        }
        watchedInFlight.decrementAndGet();
        return new SpoutMessage(stamp.messageId(), stamp.stream(), stamp.values(), latency(stamp));
    }

    private Long latency(WatchedMessageId stamp) {
        if (!acking) {
            return 0L;
        }
        return stamp.sinceMs() == WatchedMessageId.NOT_TIMED ? null : Time.deltaMs(stamp.sinceMs());
    }

    void closing() {
        for (Watcher watcher : watchers) {
            watcher.closing();
        }
    }

    /**
     * The times at which a bolt began to execute the timed tuples. Bounded, because a bolt may never ack. Safe to use from any
     * thread, because acks may come from any thread.
     */
    private static final class ExecuteStartTimes {

        private static final int MAX_TUPLES = 65_536;

        private final Map<Tuple, Long> since = new IdentityHashMap<>();

        synchronized void put(Tuple input, long nowMs) {
            if (since.size() >= MAX_TUPLES) {
                Iterator<Tuple> any = since.keySet().iterator();
                any.next();
                any.remove();
            }
            since.put(input, nowMs);
        }

        /** Returns the milliseconds since the start of a tuple, or {@link Watcher#NOT_SAMPLED}. Removes the tuple. */
        synchronized long take(Tuple input) {
            Long start = since.remove(input);
            return start == null ? Watcher.NOT_SAMPLED : Time.deltaMs(start);
        }
    }
}
