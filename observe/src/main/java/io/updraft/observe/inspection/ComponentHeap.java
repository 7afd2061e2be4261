package io.updraft.observe.inspection;

import io.updraft.engine.memory.ComponentCounts;
import io.updraft.engine.memory.HeldField;
import io.updraft.engine.memory.HeldMemory;
import io.updraft.engine.memory.MemoryWatch;
import io.updraft.engine.memory.ObservedEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports as JSON what the components in this process hold, as an estimate, and how many tuples wait for them. */
final class ComponentHeap {
    /** The longest time for one topology. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private ComponentHeap() {}

    /** {@return the components of each topology in this process} */
    static Map<String, Object> read() {
        List<Object> topologies = new ArrayList<>();
        for (ObservedEngine engine : MemoryWatch.engines()) {
            topologies.add(topology(engine));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        Runtime runtime = Runtime.getRuntime();
        answer.put("heapUsed", runtime.totalMemory() - runtime.freeMemory());
        answer.put("heapMax", runtime.maxMemory());
        answer.put("topologies", topologies);
        return answer;
    }

    private static Map<String, Object> topology(ObservedEngine engine) {
        List<HeldMemory> held = engine.held(LIMIT);
        List<Object> components = new ArrayList<>();
        for (ComponentCounts counts : engine.counts()) {
            components.add(component(
                    counts,
                    held.stream()
                            .filter(each -> each.component().equals(counts.component()))
                            .toList()));
        }
        return Map.of("topology", engine.topology(), "components", components);
    }

    private static Map<String, Object> component(ComponentCounts counts, List<HeldMemory> tasks) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("component", counts.component());
        json.put("heldBytes", tasks.stream().mapToLong(HeldMemory::bytes).sum());
        json.put("queued", counts.queued());
        json.put("inFlight", counts.inFlight());
        json.put("tasks", tasks.stream().map(ComponentHeap::task).toList());
        return json;
    }

    private static Map<String, Object> task(HeldMemory held) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("task", held.task());
        json.put("class", held.type());
        json.put("heldBytes", held.bytes());
        json.put("fields", held.fields().stream().map(ComponentHeap::field).toList());
        return json;
    }

    private static Map<String, Object> field(HeldField field) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("field", field.name());
        json.put("class", field.type());
        json.put("bytes", field.bytes());
        json.put("exact", field.exact());
        json.put("largest", field.largest());
        return json;
    }
}
