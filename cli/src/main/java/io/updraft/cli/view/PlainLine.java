package io.updraft.cli.view;

import io.updraft.engine.metrics.EdgeSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats the state of one topology over one interval as one line, for logs and pipes. */
final class PlainLine {
    private PlainLine() {}

    static String of(Sample sample) {
        List<ComponentRates> spouts =
                sample.components().stream().filter(c -> c.now().spout()).toList();
        StringBuilder line = new StringBuilder(Quantity.clock(sample.now().uptimeNanos()))
                .append(' ')
                .append(sample.name())
                .append(' ')
                .append(sample.state())
                .append(": emitted ")
                .append(rate(
                        spouts.stream().mapToDouble(ComponentRates::emitted).sum()))
                .append(", acked ")
                .append(rate(spouts.stream().mapToDouble(ComponentRates::acked).sum()));
        double failed = spouts.stream().mapToDouble(ComponentRates::failed).sum();
        if (failed > 0) {
            line.append(", FAILED ").append(rate(failed));
        }
        line.append(", in flight ").append(Quantity.count(sample.now().inFlightTrees()));
        spouts.stream()
                .mapToLong(c -> c.now().completeLatency().p99Nanos())
                .filter(nanos -> nanos > 0)
                .max()
                .ifPresent(nanos -> line.append(", p99 ").append(Quantity.latency(nanos)));
        WorkerLines.shortage(sample.workers())
                .ifPresent(shortage -> line.append(", ").append(shortage));
        return line.append(bottleneck(sample)).append(backPressure(sample)).toString();
    }

    private static String rate(double value) {
        return Quantity.count(value) + "/s";
    }

    private static String bottleneck(Sample sample) {
        Optional<Bottleneck> found = Bottleneck.of(sample);
        return found.map(bottleneck -> ", bottleneck " + bottleneck.componentId())
                .orElse("");
    }

    private static String backPressure(Sample sample) {
        String edges = sample.now().edges().stream()
                .filter(EdgeSnapshot::backPressured)
                .map(edge -> edge.from() + "->" + edge.to())
                .distinct()
                .collect(Collectors.joining(" "));
        return edges.isEmpty() ? "" : ", back-pressured " + edges;
    }
}
