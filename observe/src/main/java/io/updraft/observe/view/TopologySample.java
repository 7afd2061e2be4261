package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.observe.advice.Advice;
import io.updraft.observe.process.FullHeap;
import io.updraft.observe.process.LongestQueue;
import io.updraft.observe.process.WorkerStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The state of one topology over one interval, for the views.
 *
 * @param name the topology's name
 * @param state the topology's state, in a word: running, draining, inactive, dead
 * @param before the snapshot at the beginning of the interval; null if the interval begins with the topology
 * @param now the snapshot at the end of the interval
 * @param workers the worker processes of the topology; empty if the topology runs in this process
 * @param full the heap of this process if it stays nearly full after collections and the topology runs in it; else null
 * @param hotKeys the keys that overload a task, the most important first
 * @param advice what limits the topology, from the last seconds; null if it has not run long enough
 */
public record TopologySample(
        String name,
        String state,
        EngineSnapshot before,
        EngineSnapshot now,
        List<WorkerStatus> workers,
        FullHeap full,
        List<HotKey> hotKeys,
        Advice advice) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Describes an interval without advice, in which each skewed key is hot. */
    public TopologySample(
            String name, String state, EngineSnapshot before, EngineSnapshot now, List<WorkerStatus> workers) {
        this(name, state, before, now, workers, null, now.skewedKeys(), null);
    }

    /** {@return the rates of the components, spouts first, then along the streams} */
    public List<ComponentRates> components() {
        Map<String, ComponentSnapshot> old = new HashMap<>();
        if (before != null) {
            before.components().forEach(component -> old.put(component.id(), component));
        }
        return FlowOrder.of(now).stream()
                .map(component -> new ComponentRates(old.get(component.id()), component, seconds()))
                .toList();
    }

    /** {@return the length of the interval in seconds, never zero} */
    public double seconds() {
        long start = before == null ? 0 : before.uptimeNanos();
        return Math.max(1, now.uptimeNanos() - start) / NANOS_PER_SECOND;
    }

    /** {@return a line for each process of the topology whose heap stays nearly full after collections} */
    public List<String> fullHeaps() {
        return Stream.concat(
                        Stream.ofNullable(full).map(heap -> heap.describe("the run", longestQueue())),
                        workers.stream()
                                .filter(worker -> worker.full() != null)
                                .map(worker -> worker.full().describe("worker " + worker.worker(), longestQueue())))
                .toList();
    }

    private LongestQueue longestQueue() {
        LongestQueue longest = LongestQueue.NONE;
        for (ComponentSnapshot component : now.components()) {
            longest = longest.or(component.id(), component.queued());
        }
        return longest;
    }

    /** {@return the busy share of each event loop, from 0 to 1} */
    public double[] loopBusy() {
        return now.loopBusySince(before);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : Math.min(1, (double) part / whole);
    }

    /**
     * The counts of one component over one interval, as rates. A rate is never negative.
     *
     * @param before the component's state at the beginning of the interval; null if the interval begins with the topology
     * @param now the component's state at the end of the interval
     * @param seconds the length of the interval
     */
    public record ComponentRates(ComponentSnapshot before, ComponentSnapshot now, double seconds) {
        /** {@return tuples emitted per second} */
        public double emitted() {
            return during(ComponentSnapshot::emitted) / seconds;
        }

        /** {@return tuples executed per second} */
        public double executed() {
            return during(ComponentSnapshot::executed) / seconds;
        }

        /** {@return acks per second} */
        public double acked() {
            return during(ComponentSnapshot::acked) / seconds;
        }

        /** {@return failures per second, including timeouts} */
        public double failed() {
            return during(ComponentSnapshot::failed) / seconds;
        }

        /** {@return share of time that the component's executors run user code; 1 if all of them do nothing else} */
        public double capacity() {
            return during(ComponentSnapshot::busyNanos) / (seconds * NANOS_PER_SECOND * Math.max(1, now.executors()));
        }

        /** {@return share of the time in user code in which calls wait and use no core, from 0 to 1} */
        public double waits() {
            return share(during(ComponentSnapshot::waitNanos), during(ComponentSnapshot::busyNanos));
        }

        /** {@return share of time that the busiest executor runs user code, from 0 to 1} */
        public double busiest() {
            return executors().stream().mapToDouble(ExecutorRates::busy).max().orElseGet(this::capacity);
        }

        /** {@return whether tuples failed, user code threw an exception, or messages were given up during the interval} */
        public boolean isFailing() {
            return during(ComponentSnapshot::failed) > 0
                    || during(ComponentSnapshot::errors) > 0
                    || during(ComponentSnapshot::deadLettered) > 0;
        }

        private long during(ToLongFunction<ComponentSnapshot> count) {
            return Math.max(0, count.applyAsLong(now) - (before == null ? 0 : count.applyAsLong(before)));
        }

        /**
         * {@return the rates of the executors, by first task. An executor that a rebalance has replaced may be among them until it
         * has done nothing for an interval}
         */
        public List<ExecutorRates> executors() {
            Map<Integer, ExecutorSnapshot> old = new HashMap<>();
            if (before != null) {
                before.byExecutor().forEach(executor -> old.put(executor.firstTask(), executor));
            }
            boolean someReplaced = now.byExecutor().size() > now.executors();
            return now.byExecutor().stream()
                    .map(executor -> new ExecutorRates(old.get(executor.firstTask()), executor, seconds))
                    .filter(executor -> !someReplaced || executor.busy() > 0 || executor.executed() > 0)
                    .toList();
        }

        public String id() {
            return now.id();
        }

        public LatencySummary execute() {
            return now.executeLatency();
        }

        public LatencySummary complete() {
            return now.completeLatency();
        }

        /** {@return the tuples queued for a bolt, or the tuple trees in flight of a spout} */
        public long waiting() {
            return now.spout() ? now.inFlight() : now.queued();
        }
    }

    /**
     * The counts of one executor over one interval, as rates. A rate is never negative.
     *
     * @param before the executor's counters at the beginning of the interval; null if it began later
     * @param now the executor's counters at the end of the interval
     * @param seconds the length of the interval
     */
    public record ExecutorRates(ExecutorSnapshot before, ExecutorSnapshot now, double seconds) {
        /** {@return tuples emitted per second} */
        public double emitted() {
            return during(ExecutorSnapshot::emitted) / seconds;
        }

        /** {@return tuples executed per second} */
        public double executed() {
            return during(ExecutorSnapshot::executed) / seconds;
        }

        /** {@return acks per second} */
        public double acked() {
            return during(ExecutorSnapshot::acked) / seconds;
        }

        /** {@return failures per second, including timeouts} */
        public double failed() {
            return during(ExecutorSnapshot::failed) / seconds;
        }

        /** {@return share of time in user code, from 0 to 1} */
        public double busy() {
            return Math.min(1, during(ExecutorSnapshot::busyNanos) / (seconds * NANOS_PER_SECOND));
        }

        /** {@return share of the time in user code in which calls wait and use no core, from 0 to 1} */
        public double waits() {
            return share(during(ExecutorSnapshot::waitNanos), during(ExecutorSnapshot::busyNanos));
        }

        private long during(ToLongFunction<ExecutorSnapshot> count) {
            return Math.max(0, count.applyAsLong(now) - (before == null ? 0 : count.applyAsLong(before)));
        }
    }

    /**
     * Returns a name that none of the names is, and adds the name to them. Several clusters of one program may have topologies of
     * the same name: the second one becomes {@code name#2}.
     */
    public static String uniqueName(String name, Set<String> names) {
        String unique = name;
        for (int number = 2; !names.add(unique); number++) {
            unique = name + "#" + number;
        }
        return unique;
    }
}
