package io.updraft.observe.metrics;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.observe.metrics.MetricsText.Kind;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.Remark;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologyRemarks;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Writes the figures of topologies: of each topology, its components, event loops and workers. */
final class TopologyFigures {
    /** The number of components that are written; each makes some fifty lines. */
    static final int MAX_COMPONENTS = 2_000;

    private static final String TOPOLOGY = "topology";
    private static final String COMPONENT = "component";
    private static final String WORKER = "worker";

    /** The kinds of problems that a topology of a run may have at a moment. */
    private static final List<Remark.Kind> TROUBLES = Arrays.stream(Remark.Kind.values())
            .filter(kind -> kind.isPresent() && kind != Remark.Kind.LAG && kind != Remark.Kind.SCHEDULING)
            .toList();

    private final MetricsText text;
    private final List<NamedSample> topologies = new ArrayList<>();
    private final List<NamedComponent> components = new ArrayList<>();
    private int omitted;

    private TopologyFigures(List<TopologySample> samples, MetricsText text) {
        this.text = text;
        Set<String> names = new HashSet<>();
        for (TopologySample sample : samples) {
            NamedSample named = new NamedSample(TopologySample.uniqueName(sample.name(), names), sample);
            topologies.add(named);
            List<ComponentSnapshot> all = sample.now().components();
            int shown = Math.min(all.size(), MAX_COMPONENTS - components.size());
            all.subList(0, shown).forEach(component -> components.add(new NamedComponent(named, component)));
            omitted += all.size() - shown;
        }
    }

    static void write(List<TopologySample> samples, MetricsText text) {
        TopologyFigures figures = new TopologyFigures(samples, text);
        figures.topologies();
        figures.components();
        figures.calls();
        figures.hotKeys();
        figures.latencies();
        figures.workers();
        figures.omitted();
    }

    private void topologies() {
        text.family(Kind.GAUGE, "updraft_topology_running", "1 if the topology is active.");
        topologies.forEach(each -> text.sample(each.sample().state().equals("running") ? 1 : 0, TOPOLOGY, each.name()));
        text.family(Kind.GAUGE, "updraft_topology_uptime_seconds", "Time since the start of the topology.");
        topologies.forEach(each -> text.sample(seconds(each.sample().now().uptimeNanos()), TOPOLOGY, each.name()));
        text.family(Kind.GAUGE, "updraft_topology_in_flight_trees", "Tuple trees in flight in all spouts.");
        topologies.forEach(each -> text.sample(each.sample().now().inFlightTrees(), TOPOLOGY, each.name()));
        troubles();
        text.family(Kind.COUNTER, "updraft_loop_busy_seconds", "Time that an event loop has worked.");
        for (NamedSample each : topologies) {
            long[] busy = each.sample().now().loopBusyNanos();
            for (int loop = 0; loop < busy.length; loop++) {
                text.sample(seconds(busy[loop]), TOPOLOGY, each.name(), "loop", Integer.toString(loop));
            }
        }
    }

    private void troubles() {
        text.family(Kind.GAUGE, "updraft_topology_troubles", "1 if the topology has a problem of this kind now.");
        for (NamedSample each : topologies) {
            Remarks remarks = TopologyRemarks.of(each.sample(), ZoneOffset.UTC);
            for (Remark.Kind kind : TROUBLES) {
                text.sample(remarks.has(kind) ? 1 : 0, TOPOLOGY, each.name(), "kind", kind.word());
            }
        }
    }

    private void components() {
        for (ComponentFigure figure : ComponentFigure.values()) {
            figure.begin(text);
            components.forEach(each -> sample(figure.of(each.now()), each));
        }
    }

    private void calls() {
        text.family(Kind.GAUGE, "updraft_component_stuck_calls", "Calls of the component's code that do not return.");
        components.forEach(each -> sample(each.callNanos().count(), each));
        text.family(
                Kind.GAUGE, "updraft_component_longest_call_seconds", "Time since the longest of these calls began.");
        components.forEach(each -> sample(seconds(each.callNanos().max().orElse(0)), each));
    }

    private void hotKeys() {
        text.family(
                Kind.GAUGE,
                "updraft_component_hot_key_ratio",
                "Share of the tuples for the component that have its hottest key; 0 if no key overloads a task.");
        components.forEach(each -> sample(each.hottestKeyPermille() / 1000.0, each));
    }

    private void latencies() {
        text.family(
                Kind.HISTOGRAM,
                "updraft_component_execute_latency_seconds",
                "Time in execute or nextTuple since the start, of the calls that were timed.");
        components.forEach(each -> histogram(each.now().executeLatency(), each));
        text.family(
                Kind.HISTOGRAM,
                "updraft_component_complete_latency_seconds",
                "Time from emit to completion of tuple trees since the start.");
        components.stream()
                .filter(each -> each.now().spout())
                .forEach(each -> histogram(each.now().completeLatency(), each));
        latency(
                "execute_latency_p50_seconds",
                "Median time in execute or nextTuple in the last sample.",
                ComponentSnapshot::executeLatency,
                LatencySummary::p50Nanos);
        latency(
                "execute_latency_p99_seconds",
                "99th percentile of the time in execute or nextTuple in the last sample.",
                ComponentSnapshot::executeLatency,
                LatencySummary::p99Nanos);
        latency(
                "complete_latency_p50_seconds",
                "Median time from emit to completion of tuple trees in the last sample.",
                ComponentSnapshot::completeLatency,
                LatencySummary::p50Nanos);
        latency(
                "complete_latency_p99_seconds",
                "99th percentile of the time from emit to completion of tuple trees in the last sample.",
                ComponentSnapshot::completeLatency,
                LatencySummary::p99Nanos);
    }

    /** Writes a latency of the components that have one: without a value in the sample there is no percentile. */
    private void latency(
            String name,
            String help,
            Function<ComponentSnapshot, LatencySummary> latency,
            ToLongFunction<LatencySummary> nanos) {
        text.family(Kind.GAUGE, "updraft_component_" + name, help);
        for (NamedComponent each : components) {
            LatencySummary summary = latency.apply(each.now());
            if (summary.maxNanos() > 0) {
                sample(seconds(nanos.applyAsLong(summary)), each);
            }
        }
    }

    private void workers() {
        text.family(Kind.GAUGE, "updraft_worker_up", "1 if the engine of the worker runs and answers.");
        forEachWorker(worker -> worker.state() == WorkerStatus.State.RUNNING ? 1 : 0);
        text.family(Kind.COUNTER, "updraft_worker_restarts", "Restarts of the worker's process.");
        forEachWorker(WorkerStatus::restarts);
        workersUsage(
                Kind.GAUGE,
                "updraft_worker_heap_used_bytes",
                "Heap in use, garbage included.",
                JvmUsage::heapUsedBytes);
        workersUsage(Kind.GAUGE, "updraft_worker_heap_max_bytes", "Largest size of the heap.", JvmUsage::heapMaxBytes);
        workersUsage(
                Kind.GAUGE,
                "updraft_worker_heap_after_collection_ratio",
                JvmFigures.AFTER_COLLECTION,
                usage -> usage.old().share());
        workersUsage(
                Kind.COUNTER,
                "updraft_worker_cpu_seconds",
                "CPU time of the worker's process.",
                usage -> seconds(usage.cpuNanos()));
        workersUsage(
                Kind.COUNTER,
                "updraft_worker_gc_seconds",
                "Time in garbage collections, of all collectors.",
                usage -> usage.gcMillis() / JvmFigures.MILLIS_PER_SECOND);
    }

    /** Writes what the processes of workers used when they last reported. A worker without a process has no sample. */
    private void workersUsage(Kind kind, String name, String help, ToDoubleFunction<JvmUsage> value) {
        text.family(kind, name, help);
        for (NamedSample each : topologies) {
            for (WorkerStatus worker : each.sample().workers()) {
                if (worker.usage() != null) {
                    text.sample(
                            value.applyAsDouble(worker.usage()),
                            TOPOLOGY,
                            each.name(),
                            WORKER,
                            Integer.toString(worker.worker()));
                }
            }
        }
    }

    private void forEachWorker(ToLongFunction<WorkerStatus> value) {
        for (NamedSample each : topologies) {
            for (WorkerStatus worker : each.sample().workers()) {
                text.sample(
                        value.applyAsLong(worker), TOPOLOGY, each.name(), WORKER, Integer.toString(worker.worker()));
            }
        }
    }

    private void omitted() {
        if (omitted > 0) {
            text.comment("only " + MAX_COMPONENTS + " components are shown; " + omitted + " are left out");
        }
        text.family(Kind.GAUGE, "updraft_omitted_components", "Components that are left out of these figures.");
        text.sample(omitted);
    }

    private void sample(double value, NamedComponent component) {
        text.sample(
                value,
                TOPOLOGY,
                component.topology().name(),
                COMPONENT,
                component.now().id());
    }

    private void histogram(LatencySummary latency, NamedComponent component) {
        text.histogram(
                latency.all(),
                TOPOLOGY,
                component.topology().name(),
                COMPONENT,
                component.now().id());
    }

    private static double seconds(long nanos) {
        return nanos / RunMetrics.NANOS_PER_SECOND;
    }

    private record NamedSample(String name, TopologySample sample) {}

    private record NamedComponent(NamedSample topology, ComponentSnapshot now) {
        LongStream callNanos() {
            return topology.sample().now().calls().stream()
                    .filter(call -> call.component().equals(now.id()))
                    .mapToLong(CallInProgress::nanos);
        }

        long hottestKeyPermille() {
            return topology.sample().hotKeys().stream()
                    .filter(key -> key.to().equals(now.id()))
                    .mapToLong(HotKey::permille)
                    .max()
                    .orElse(0);
        }
    }
}
