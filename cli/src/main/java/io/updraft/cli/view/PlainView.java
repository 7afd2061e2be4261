package io.updraft.cli.view;

import io.updraft.base.text.VisibleText;
import io.updraft.engine.snapshot.CallReminders;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.observe.view.Bottleneck;
import io.updraft.observe.view.HotKeyLines;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.Remark;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologySample.ComponentRates;
import io.updraft.observe.view.TupleHolders;
import io.updraft.observe.view.WorkerLines;
import java.io.PrintStream;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Prints a line for each new error, each call that does not return and each hot key. Unless it is quiet, it also prints a line
 * for each topology and interval.
 */
final class PlainView implements TopologyView {
    private final PrintStream out;
    private final boolean quiet;
    private final NewErrorLines errors;
    private final Map<String, CallReminders> reminders = new HashMap<>();
    private final Map<String, HotKeyLines> hotKeys = new HashMap<>();

    PlainView(PrintStream out, boolean quiet, ZoneId zone) {
        this.out = out;
        this.quiet = quiet;
        this.errors = new NewErrorLines(zone);
    }

    @Override
    public synchronized void show(List<TopologySample> samples) {
        for (TopologySample sample : samples) {
            errors.of(sample).forEach(this::print);
            reminders
                    .computeIfAbsent(sample.name(), name -> new CallReminders())
                    .due(sample.now().calls(), sample.now().uptimeNanos())
                    .forEach(call -> print("stuck: " + call.describe()));
            hotKeys.computeIfAbsent(sample.name(), name -> new HotKeyLines())
                    .due(sample)
                    .forEach(this::print);
            if (!quiet) {
                print(line(sample));
            }
        }
    }

    @Override
    public synchronized void print(String line) {
        out.println(VisibleText.of(line));
    }

    @Override
    public void close() {}

    /** Formats the state of one topology over one interval, for logs and pipes. */
    static String line(TopologySample sample) {
        List<ComponentRates> spouts =
                sample.components().stream().filter(c -> c.now().spout()).toList();
        double failed = sum(spouts, ComponentRates::failed);
        StringBuilder line = new StringBuilder(QuantityFormat.clock(sample.now().uptimeNanos()) + " " + sample.name()
                + " " + sample.state() + ": emitted "
                + rate(sum(spouts, ComponentRates::emitted)) + ", acked "
                + rate(sum(spouts, ComponentRates::acked)) + (failed > 0 ? ", FAILED " + rate(failed) : ""));
        line.append(", in flight ").append(QuantityFormat.count(sample.now().inFlightTrees()));
        spouts.stream()
                .mapToLong(c -> c.now().completeLatency().p99Nanos())
                .filter(nanos -> nanos > 0)
                .max()
                .ifPresent(nanos -> line.append(", p99 ").append(QuantityFormat.latency(nanos)));
        WorkerLines.shortage(sample.workers())
                .ifPresent(shortage -> line.append(", ").append(shortage));
        return line.append(bottleneck(sample))
                .append(backPressure(sample))
                .append(neverAcked(sample))
                .append(fullHeaps(sample))
                .append(failed > 0 ? timedOut(sample) : "")
                .toString();
    }

    private static double sum(List<ComponentRates> components, ToDoubleFunction<ComponentRates> rate) {
        return components.stream().mapToDouble(rate).sum();
    }

    private static String rate(double value) {
        return QuantityFormat.count(value) + "/s";
    }

    private static String bottleneck(TopologySample sample) {
        return Bottleneck.of(sample)
                .map(found -> ", bottleneck " + found.componentId())
                .orElse("");
    }

    private static String neverAcked(TopologySample sample) {
        String bolts = TupleHolders.neverAcked(sample);
        return bolts.isEmpty() ? "" : ", NEVER ACKED: " + bolts;
    }

    private static String fullHeaps(TopologySample sample) {
        return sample.fullHeaps().stream()
                .map(heap -> ", " + Remark.line(Remark.Kind.HEAP_FULL.label(), heap))
                .collect(Collectors.joining());
    }

    private static String timedOut(TopologySample sample) {
        String places = TupleHolders.timedOut(sample.now());
        return places.isEmpty() ? "" : ", TIMED OUT since the start: " + places;
    }

    private static String backPressure(TopologySample sample) {
        String edges = sample.now().edges().stream()
                .filter(EdgeSnapshot::backPressured)
                .map(edge -> edge.from() + "->" + edge.to())
                .distinct()
                .collect(Collectors.joining(" "));
        return edges.isEmpty() ? "" : ", back-pressured " + edges;
    }
}
