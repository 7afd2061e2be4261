package io.updraft.storm.instrument;

import io.updraft.engine.api.ForwardingSpout;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.storm.instrument.Watcher.SpoutMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;

/**
 * The watchers of one instance of a component. Wraps the instance while there is any watcher. Watchers are added and removed on
 * the thread that runs the instance.
 */
final class TaskInstruments implements TaskWrapper {
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

    public RegisteredMetrics registered() {
        return registered;
    }

    public TopologyContext context() {
        return context;
    }

    public void add(Watcher watcher) {
        List<Watcher> all = new ArrayList<>(List.of(watchers));
        all.add(watcher);
        set(all);
    }

    public void remove(Watcher watcher) {
        List<Watcher> all = new ArrayList<>(List.of(watchers));
        if (all.remove(watcher)) {
            set(all);
        }
    }

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

    @Override
    public IBolt wrapBolt(IBolt bolt) {
        return new WatchedBolt(bolt);
    }

    @Override
    public ISpout wrapSpout(ISpout instance) {
        spout = true;
        return new WatchedSpout(instance);
    }

    @Override
    public IOutputCollector wrapCollector(IOutputCollector engine) {
        emitter = (stream, values) -> engine.emit(stream, null, values);
        reporter = engine::reportError;
        return new WatchedBoltCollector(engine);
    }

    @Override
    public ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
        emitter = (stream, values) -> engine.emit(stream, values, null);
        reporter = engine::reportError;
        return new WatchedSpoutCollector(engine);
    }

    private List<Object> emitting(String stream, List<Object> values) {
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

    private Object watchedId(String stream, List<Object> values, Object messageId) {
        if (messageId == null || watchers.length == 0) {
            return messageId;
        }
        long since = timed && acking && sampler.getAsBoolean() ? Time.currentTimeMillis() : WatchedMessageId.NOT_TIMED;
        watchedInFlight.incrementAndGet();
        return new WatchedMessageId(messageId, stream, values, since);
    }

    private long latencyOf(Tuple input) {
        return timed ? starts.take(input) : Watcher.NOT_SAMPLED;
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

    private void closing() {
        for (Watcher watcher : watchers) {
            watcher.closing();
        }
    }

    private final class WatchedBolt implements IBolt {
        private static final long serialVersionUID = 1L;

        private final transient IBolt bolt;

        WatchedBolt(IBolt bolt) {
            this.bolt = bolt;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            bolt.prepare(conf, context, collector);
        }

        @Override
        public void execute(Tuple input) {
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

        @Override
        public void cleanup() {
            closing();
            bolt.cleanup();
        }
    }

    private final class WatchedSpout extends ForwardingSpout {
        private static final long serialVersionUID = 1L;

        WatchedSpout(ISpout spout) {
            super(spout);
        }

        @Override
        public void close() {
            closing();
            super.close();
        }

        @Override
        public void ack(Object messageId) {
            super.ack(WatchedMessageId.idOf(messageId));
            spoutEnded(messageId, Watcher::spoutAcked);
        }

        @Override
        public void fail(Object messageId) {
            super.fail(WatchedMessageId.idOf(messageId));
            spoutEnded(messageId, Watcher::spoutFailed);
        }
    }

    private final class WatchedBoltCollector extends OutputCollector {
        private final IOutputCollector engine;

        WatchedBoltCollector(IOutputCollector engine) {
            super(engine);
            this.engine = engine;
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
            if (Utils.isSystemId(streamId)) {
                return engine.emit(streamId, anchors, values);
            }
            List<Object> sent = emitting(streamId, values);
            List<Integer> tasks = engine.emit(streamId, anchors, sent);
            emitted(streamId, sent, null, tasks);
            return tasks;
        }

        @Override
        public void emitDirect(int target, String streamId, Collection<Tuple> anchors, List<Object> values) {
            if (Utils.isSystemId(streamId)) {
                engine.emitDirect(target, streamId, anchors, values);
                return;
            }
            List<Object> sent = emitting(streamId, values);
            engine.emitDirect(target, streamId, anchors, sent);
            emitted(streamId, sent, null, List.of(target));
        }

        @Override
        public void ack(Tuple input) {
            settling(input);
            engine.ack(input);
            // As in Storm, there are no acks without ackers.
            if (acking) {
                long latency = latencyOf(input);
                for (Watcher watcher : watchers) {
                    watcher.acked(input, latency);
                }
            }
        }

        @Override
        public void fail(Tuple input) {
            settling(input);
            engine.fail(input);
            if (acking) {
                long latency = latencyOf(input);
                for (Watcher watcher : watchers) {
                    watcher.failed(input, latency);
                }
            }
        }

        private void settling(Tuple input) {
            for (Watcher watcher : watchers) {
                watcher.settling(input);
            }
        }
    }

    private final class WatchedSpoutCollector extends SpoutOutputCollector {
        private final ISpoutOutputCollector engine;

        WatchedSpoutCollector(ISpoutOutputCollector engine) {
            super(engine);
            this.engine = engine;
        }

        @Override
        public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
            if (Utils.isSystemId(streamId)) {
                // A dead letter contains the message's id.
                values.replaceAll(WatchedMessageId::idOf);
                return engine.emit(streamId, values, messageId);
            }
            List<Object> sent = emitting(streamId, values);
            List<Integer> tasks = engine.emit(streamId, sent, watchedId(streamId, sent, messageId));
            emitted(streamId, sent, messageId, tasks);
            return tasks;
        }

        @Override
        public void emitDirect(int target, String streamId, List<Object> values, Object messageId) {
            if (Utils.isSystemId(streamId)) {
                engine.emitDirect(target, streamId, values, messageId);
                return;
            }
            List<Object> sent = emitting(streamId, values);
            engine.emitDirect(target, streamId, sent, watchedId(streamId, sent, messageId));
            emitted(streamId, sent, messageId, List.of(target));
        }
    }
}
