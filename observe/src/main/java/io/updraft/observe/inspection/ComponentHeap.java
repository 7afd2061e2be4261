package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.api.ComponentCounts;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.api.ObservedEngine;
import io.updraft.observe.heap.HeldField;
import io.updraft.observe.heap.HeldMemory;
import io.updraft.observe.heap.InstanceMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reports as JSON what the components in this process hold, as an estimate, and how many tuples wait for them. */
final class ComponentHeap {
    /** The longest time for one topology. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private ComponentHeap() {}

    /** {@return the components of each topology in this process} */
    static JsonObject read() {
        List<Object> topologies = new ArrayList<>();
        for (ObservedEngine engine : MemoryWatch.engines()) {
            topologies.add(topology(engine));
        }
        JsonObject answer = new JsonObject();
        Runtime runtime = Runtime.getRuntime();
        answer.put("heapUsed", runtime.totalMemory() - runtime.freeMemory());
        answer.put("heapMax", runtime.maxMemory());
        answer.put("topologies", topologies);
        return answer;
    }

    private static JsonObject topology(ObservedEngine engine) {
        List<HeldMemory> held = InstanceMemory.of(engine, LIMIT);
        List<Object> components = new ArrayList<>();
        for (ComponentCounts counts : engine.counts()) {
            components.add(component(
                    counts,
                    held.stream()
                            .filter(each -> each.component().equals(counts.component()))
                            .toList()));
        }
        return JsonObject.of("topology", engine.topology()).with("components", components);
    }

    private static JsonObject component(ComponentCounts counts, List<HeldMemory> tasks) {
        return JsonObject.of("component", counts.component())
                .with("heldBytes", tasks.stream().mapToLong(HeldMemory::bytes).sum())
                .with("queued", counts.queued())
                .with("inFlight", counts.inFlight())
                .with("tasks", tasks.stream().map(ComponentHeap::task).toList());
    }

    private static JsonObject task(HeldMemory held) {
        return JsonObject.of("task", held.task())
                .with("class", held.type())
                .with("heldBytes", held.bytes())
                .with("fields", held.fields().stream().map(ComponentHeap::field).toList());
    }

    private static JsonObject field(HeldField field) {
        return JsonObject.of("field", field.name())
                .with("class", field.type())
                .with("bytes", field.bytes())
                .with("exact", field.exact())
                .with("largest", field.largest());
    }
}
