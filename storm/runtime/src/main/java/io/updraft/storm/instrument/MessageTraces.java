package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * Locates messages that do not come back to their spout. The functions are resources of {@code TopologyContext} with types of
 * the JDK, so that a component needs no class of Updraft to use them:
 *
 * <ul>
 *   <li>{@link #TRACES}, a {@code BiFunction<List<Object>, Consumer<String>, AutoCloseable>}: follows the tuples of the message
 *   that is about to be emitted with the given list of values, compared by identity. At each change the consumer receives the
 *   place of the tuples, such as <i>bolt 'count' (task 3), which is executing it</i>, on the thread of that bolt. Closing the
 *   result ends the trace.
 *   <li>{@link #HOLDUPS}, a {@code Function<String, List<String>>}: returns reasons for delays downstream of the component of
 *   the given name: long calls and queues. A call's duration is measured from the first request on, so call this twice.
 *   <li>{@link #TURNS}, a {@code BiConsumer<Integer, Runnable>}: runs an action on the thread of a task. It runs even while a
 *   spout is not requested for tuples, as with too many pending messages or under back-pressure.
 * </ul>
 *
 * <p>While there is a trace, all bolts are wrapped; without one, there is no cost. The resources are not available where tuples
 * are serialized, because the list of values then changes its identity: between workers, and when serialization is checked.
 *
 * <p>Safe to use from any thread.
 */
final class MessageTraces {
    private static final String TRACES = "updraft.traces";
    private static final String HOLDUPS = "updraft.holdups";
    private static final String TURNS = "updraft.turns";

    private final Plan plan;

    /** Whether tuples are serialized in this JVM too. */
    private final boolean serialized;

    private final Map<Integer, BoltInstance> bolts = new ConcurrentHashMap<>();
    private final Map<Integer, TaskControl> controls = new ConcurrentHashMap<>();
    private final List<MessageTrace> traces = new CopyOnWriteArrayList<>();

    /** The newest instance of a task of a bolt. */
    private record BoltInstance(String component, TaskInstruments task, LongCallDetector pulse) {}

    public MessageTraces(Plan plan, boolean serialized) {
        this.plan = plan;
        this.serialized = serialized;
    }

    public Map<String, Object> resources() {
        boolean detached = plan.executors().stream().anyMatch(executor -> executor.worker() != 0);
        if (detached || serialized) {
            return Map.of();
        }
        BiFunction<List<Object>, Consumer<String>, AutoCloseable> begin = this::begin;
        Function<String, List<String>> holdups = this::holdups;
        BiConsumer<Integer, Runnable> turns = this::run;
        return Map.of(TRACES, begin, HOLDUPS, holdups, TURNS, turns);
    }

    /** Registers a new instance. Called on the thread that is about to open the instance. */
    public void attach(ComponentPlan component, TaskInstruments task) {
        int id = task.context().getThisTaskId();
        controls.put(id, task.control());
        if (!component.spout()) {
            bolts.put(id, new BoltInstance(component.id(), task, new LongCallDetector(task.control())));
            watch(task);
        }
    }

    private void run(int task, Runnable action) {
        TaskControl control = controls.get(task);
        if (control != null) {
            control.run(action);
        }
    }

    /** Begins a trace. The bolts switch before they receive any tuple that is emitted afterwards. */
    private AutoCloseable begin(List<Object> values, Consumer<String> seen) {
        MessageTrace trace = new MessageTrace(values, seen);
        traces.add(trace);
        watchAll();
        return () -> end(trace);
    }

    private void end(MessageTrace trace) {
        trace.end();
        if (traces.remove(trace)) {
            watchAll();
        }
    }

    private void watchAll() {
        bolts.values().forEach(bolt -> bolt.task.control().run(() -> watch(bolt.task)));
    }

    /** Adds or removes the watcher of a bolt. Called on the thread that runs the instance. */
    private void watch(TaskInstruments task) {
        TraceWatcher watcher = task.find(TraceWatcher.class);
        if (traces.isEmpty() && watcher != null) {
            task.remove(watcher);
        } else if (!traces.isEmpty() && watcher == null) {
            task.add(new TraceWatcher(task.context(), traces));
        }
    }

    private List<String> holdups(String component) {
        List<String> reported = new ArrayList<>();
        for (String bolt : downstreamOf(component)) {
            List<Integer> tasks = bolts.keySet().stream()
                    .filter(task -> bolts.get(task).component.equals(bolt))
                    .sorted()
                    .toList();
            addLongCalls(bolt, tasks, reported);
            addLongestQueue(bolt, tasks, reported);
        }
        return reported;
    }

    private Set<String> downstreamOf(String component) {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> next = new ArrayDeque<>(List.of(component));
        while (!next.isEmpty()) {
            for (StreamPlan stream : plan.component(next.remove()).outputs()) {
                for (SubscriptionPlan subscription : stream.subscriptions()) {
                    if (found.add(subscription.targetComponentId())) {
                        next.add(subscription.targetComponentId());
                    }
                }
            }
        }
        return found;
    }

    /** Reports long calls. Tasks of one executor share its thread, so that a call of one task occupies all of them. */
    private void addLongCalls(String bolt, List<Integer> tasks, List<String> reported) {
        List<Integer> busy = new ArrayList<>();
        long longest = 0;
        for (int task : tasks) {
            long secs = bolts.get(task).pulse.secondsInCall();
            if (secs > 0) {
                busy.add(task);
                longest = Math.max(longest, secs);
            }
        }
        if (!busy.isEmpty()) {
            reported.add("bolt '" + bolt + "' has been in one call for at least " + longest
                    + " s (on the thread of task " + listed(busy) + ")");
        }
    }

    private static String listed(List<Integer> tasks) {
        return String.join(", ", tasks.stream().map(String::valueOf).toList());
    }

    private void addLongestQueue(String bolt, List<Integer> tasks, List<String> reported) {
        int longest = 0;
        int longestTask = 0;
        for (int task : tasks) {
            int queued = bolts.get(task).task.control().queued();
            if (queued > longest) {
                longest = queued;
                longestTask = task;
            }
        }
        if (longest > 0) {
            reported.add(longest + " tuples wait for bolt '" + bolt + "' (on the thread of task " + longestTask + ")");
        }
    }

    /**
     * Detects long calls of user code: schedules an action between two turns of an instance and measures its delay. Safe to use
     * from any thread.
     */
    private static final class LongCallDetector {
        private static final long ANSWERED = 0;

        private final TaskControl control;

        /**
         * The time of the pending request, of {@link System#nanoTime} with the last bit set; {@link #ANSWERED} if none is pending.
         */
        private final AtomicLong requested = new AtomicLong(ANSWERED);

        LongCallDetector(TaskControl control) {
            this.control = control;
        }

        /**
         * Schedules a request if none is pending. Returns how long the pending request has been unanswered because of a call,
         * in whole seconds; 0 if the delay has another reason: back-pressure from downstream may defer the next turn.
         */
        long secondsInCall() {
            long now = System.nanoTime() | 1;
            if (requested.compareAndSet(ANSWERED, now)) {
                control.run(() -> requested.set(ANSWERED));
                return 0;
            }
            boolean inTurn = control.isInTurn();
            long since = requested.get();
            return !inTurn || since == ANSWERED ? 0 : TimeUnit.NANOSECONDS.toSeconds(now - since);
        }
    }

    /** Reports to traces how a bolt processes tuples. */
    private static final class TraceWatcher implements Watcher {
        private final String place;
        private final List<MessageTrace> traces;

        TraceWatcher(TopologyContext context, List<MessageTrace> traces) {
            this.place = "bolt '" + context.getThisComponentId() + "' (task " + context.getThisTaskId() + ")";
            this.traces = traces;
        }

        @Override
        public void executing(Tuple input) {
            for (MessageTrace trace : traces) {
                trace.executing(input, place);
            }
        }

        @Override
        public void executed(Tuple input, long latencyMs) {
            for (MessageTrace trace : traces) {
                trace.executed(input);
            }
        }

        @Override
        public void acked(Tuple input, long latencyMs) {
            for (MessageTrace trace : traces) {
                trace.settled(input, "acked");
            }
        }

        @Override
        public void failed(Tuple input, long latencyMs) {
            for (MessageTrace trace : traces) {
                trace.settled(input, "failed");
            }
        }
    }
}
