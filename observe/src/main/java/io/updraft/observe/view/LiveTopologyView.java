package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A topology for a page that shows all components and reads it every second: as few bytes as possible.
 *
 * @param findings the topology as a whole
 * @param marks the kinds of remarks on each component that has some
 * @param table the components: a row for each {@link ComponentView}
 * @param edges the streams: a row for each {@link EdgeView}
 */
public record LiveTopologyView(
        @Inlined FindingsView findings, Map<String, List<String>> marks, RecordTable table, RecordTable edges) {

    /** {@return a topology of a run} */
    public static LiveTopologyView of(TopologySample sample) {
        List<TopologySample.ComponentRates> components = sample.components();
        Remarks remarks = TopologyRemarks.of(sample, ZoneId.systemDefault());
        return new LiveTopologyView(
                FindingsView.of(sample, remarks, advice(sample)),
                marks(remarks),
                RecordTable.compact(
                        ComponentView.class,
                        components.stream().map(ComponentView::of).toList()),
                RecordTable.compact(EdgeView.class, edges(sample, components)));
    }

    /** {@return the words of the kinds of remarks on each component, the most important first} */
    public static Map<String, List<String>> marks(Remarks remarks) {
        Map<String, List<String>> marks = new TreeMap<>();
        remarks.marks()
                .forEach((component, kinds) -> marks.put(
                        component, kinds.stream().map(Remark.Kind::word).toList()));
        return marks;
    }

    private static JsonObject advice(TopologySample sample) {
        return sample.advice() == null
                ? null
                : sample.advice()
                        .json()
                        .with(
                                "lines",
                                Stream.of(sample.advice().line())
                                        .filter(line -> !line.isEmpty())
                                        .toList());
    }

    private static List<EdgeView> edges(TopologySample sample, List<TopologySample.ComponentRates> components) {
        Map<List<String>, Double> rates = new HashMap<>();
        for (TopologySample.ComponentRates component : components) {
            for (InputSnapshot input : inputs(component)) {
                rates.put(
                        List.of(input.component(), input.stream(), component.id()),
                        Math.max(0, input.executed()) / sample.seconds());
            }
        }
        return sample.now().edges().stream()
                .map(edge -> new EdgeView(
                        edge.from(),
                        edge.stream(),
                        edge.to(),
                        rates.getOrDefault(List.of(edge.from(), edge.stream(), edge.to()), 0.0),
                        edge.backPressured()))
                .toList();
    }

    private static List<InputSnapshot> inputs(TopologySample.ComponentRates component) {
        StreamsSnapshot now = component.now().streams();
        return component.before() == null
                ? now.inputs()
                : now.since(component.before().streams()).inputs();
    }
}
