package io.updraft.observe.death;

import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.api.ObservedEngine;
import io.updraft.observe.heap.HeldField;
import io.updraft.observe.heap.HeldMemory;
import io.updraft.observe.heap.InstanceMemory;
import io.updraft.observe.process.HeapHolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One look at the heap of this process: what the instances of components hold.
 *
 * @param held the instances, the largest first
 */
record HeapLook(List<HeldMemory> held) {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    /** A component that holds this part of the used heap is named. */
    private static final double MUCH = 0.25;

    /** A task that holds this part of what its component holds is named alone. */
    private static final double ALONE = 0.8;

    /** Looks, which takes two seconds at most. */
    static HeapLook take() {
        List<HeldMemory> held = new ArrayList<>();
        List<ObservedEngine> engines = MemoryWatch.engines();
        for (ObservedEngine engine : engines) {
            held.addAll(InstanceMemory.of(engine, LIMIT.dividedBy(engines.size())));
        }
        held.sort(Comparator.comparingLong(HeldMemory::bytes).reversed());
        return new HeapLook(held);
    }

    /** {@return the component that holds most, if it holds much of the used heap; else null} */
    HeapHolder holder(long usedBytes) {
        Map<String, Long> byComponent = new LinkedHashMap<>();
        held.forEach(instance -> byComponent.merge(instance.component(), instance.bytes(), Long::sum));
        return byComponent.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> most.getValue() > MUCH * usedBytes)
                .map(most -> holder(most.getKey(), most.getValue()))
                .orElse(null);
    }

    private HeapHolder holder(String component, long bytes) {
        List<HeldMemory> instances = held.stream()
                .filter(instance -> instance.component().equals(component))
                .toList();
        HeldMemory largest = instances.get(0);
        String more = largest.bytes() > ALONE * bytes ? "" : " and " + (instances.size() - 1) + " more";
        return new HeapHolder(component, "task " + largest.task() + more, bytes, describe(largest.largest()));
    }

    static String describe(HeldField field) {
        return "field " + field.name() + ", "
                + (field.largest() == null ? "a " + field.type() : field.largest() + containedIn(field));
    }

    private static String containedIn(HeldField field) {
        return field.largest().contains(field.type()) ? "" : " in a " + field.type();
    }
}
