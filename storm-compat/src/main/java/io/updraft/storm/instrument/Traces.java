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
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Tells a spout where a message is that does not come back. It is found as two resources of {@code TopologyContext}, of types of
 * the JDK, so that a component needs nothing of ours to ask:
 *
 * <ul>
 *   <li>{@link #TRACES}, a {@code BiFunction<List<Object>, Consumer<String>, AutoCloseable>}: from now on watches for the tuples of
 *       the message that is about to be emitted with these very values (the same object), and tells the consumer at each change
 *       where they are, as in <i>bolt 'count' (task 3), which is executing it</i>; on the thread of that bolt, until it is closed.
 *   <li>{@link #HOLDUPS}, a {@code Function<String, List<String>>}: what holds up tuples on their way from the component of that
 *       name: calls that last, and queues. A call is known to last from the first time that this was asked, so ask twice.
 *   <li>{@link #TURNS}, a {@code BiConsumer<Integer, Runnable>}: does something on the thread of a task, even while it is a spout
 *       that is not asked for tuples, as when too many are pending or a bolt holds it back.
 * </ul>
 *
 * <p>While there is a trace all bolts are wrapped; else this costs nothing. None of them is offered where the same values would not be
 * seen again, as the tuples are written and read on their way: between workers, and when serialization is checked.
 *
 * <p>Safe to use from any thread.
 */
final class Traces {
    static final String TRACES = "updraft.traces";
    static final String HOLDUPS = "updraft.holdups";
    static final String TURNS = "updraft.turns";

    private final Plan plan;
    private final Map<Integer, BoltInstance> bolts = new ConcurrentHashMap<>();
    private final Map<Integer, TaskControl> controls = new ConcurrentHashMap<>();
    private final List<Trace> traces = new CopyOnWriteArrayList<>();

    /** The newest instance of a task of a bolt. */
    private record BoltInstance(String component, TaskInstruments task, Pulse pulse) {}

    Traces(Plan plan) {
        this.plan = plan;
    }

    Map<String, Object> resources() {
        boolean apart = plan.executors().stream().anyMatch(executor -> executor.worker() != 0);
        if (apart || Boolean.TRUE.equals(plan.conf().get(Instruments.CHECK_SERIALIZATION))) {
            return Map.of();
        }
        BiFunction<List<Object>, Consumer<String>, AutoCloseable> begin = this::begin;
        Function<String, List<String>> holdups = this::holdups;
        BiConsumer<Integer, Runnable> turns = this::run;
        return Map.of(TRACES, begin, HOLDUPS, holdups, TURNS, turns);
    }

    /** Takes in a new instance. On the thread that is about to open it. */
    void attach(ComponentPlan component, TaskInstruments task) {
        int id = task.context().getThisTaskId();
        controls.put(id, task.control());
        if (!component.spout()) {
            bolts.put(id, new BoltInstance(component.id(), task, new Pulse(task.control())));
            watch(task);
        }
    }

    private void run(int task, Runnable action) {
        TaskControl control = controls.get(task);
        if (control != null) {
            control.run(action);
        }
    }

    /** The bolts hear of it before they get anything that is emitted after this. */
    private AutoCloseable begin(List<Object> values, Consumer<String> seen) {
        Trace trace = new Trace(values, seen);
        traces.add(trace);
        watchAll();
        return () -> end(trace);
    }

    private void end(Trace trace) {
        trace.end();
        if (traces.remove(trace)) {
            watchAll();
        }
    }

    private void watchAll() {
        bolts.values().forEach(bolt -> bolt.task.control().run(() -> watch(bolt.task)));
    }

    /** On the thread that runs the instance. */
    private void watch(TaskInstruments task) {
        TraceWatcher watcher = task.find(TraceWatcher.class);
        if (traces.isEmpty() && watcher != null) {
            task.remove(watcher);
        } else if (!traces.isEmpty() && watcher == null) {
            task.add(new TraceWatcher(task.context(), traces));
        }
    }

    private List<String> holdups(String component) {
        List<String> told = new ArrayList<>();
        for (String bolt : downstreamOf(component)) {
            List<Integer> tasks = bolts.keySet().stream()
                    .filter(task -> bolts.get(task).component.equals(bolt))
                    .sorted()
                    .toList();
            tellCalls(bolt, tasks, told);
            tellQueue(bolt, tasks, told);
        }
        return told;
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

    /** Tasks of one executor share its thread, so that a call of one is a call of all. */
    private void tellCalls(String bolt, List<Integer> tasks, List<String> told) {
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
            told.add("bolt '" + bolt + "' has been in one call for at least " + longest + " s (on the thread of task "
                    + listed(busy) + ")");
        }
    }

    private static String listed(List<Integer> tasks) {
        return String.join(", ", tasks.stream().map(String::valueOf).toList());
    }

    private void tellQueue(String bolt, List<Integer> tasks, List<String> told) {
        int longest = 0;
        int of = 0;
        for (int task : tasks) {
            int queued = bolts.get(task).task.control().queued();
            if (queued > longest) {
                longest = queued;
                of = task;
            }
        }
        if (longest > 0) {
            told.add(longest + " tuples wait for bolt '" + bolt + "' (on the thread of task " + of + ")");
        }
    }
}
