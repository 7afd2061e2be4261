package io.updraft.observe.heap;

import io.updraft.engine.api.ObservedEngine;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.topology.IComponent;

/**
 * Estimates what the instances of components hold, by field. The fields of a component inside a wrapper count like those of the
 * wrapper, and static fields of the user's classes count too. For one thread.
 */
public final class InstanceMemory {
    private static final int MAX_WRAPPERS = 8;
    private static final List<String> WRAPPERS =
            List.of("org.apache.storm.", "io.updraft.engine.", "io.updraft.storm.", "java.");

    private final HeapWalk walk;
    private final Set<Class<?>> staticsSeen = new HashSet<>();

    InstanceMemory(Duration limit) {
        walk = new HeapWalk(System.nanoTime() + limit.toNanos());
    }

    /** Loads the classes of an estimate, for one that is made later with little memory. */
    public static void preload() {
        Object[] each = {List.of("a"), Map.of("b", Optional.of(1L)), new ArrayList<>(List.of(new int[1]))};
        new HeapWalk(Long.MAX_VALUE).walk("", each);
    }

    /**
     * Estimates what the instances of an engine hold. Runs on the calling thread, and tolerates that the instances change.
     *
     * @param engine the engine
     * @param limit the longest time for all instances together; what is not reached is missing
     * @return the instances, the largest first
     */
    public static List<HeldMemory> of(ObservedEngine engine, Duration limit) {
        InstanceMemory memory = new InstanceMemory(limit);
        return engine.instances().stream()
                .map(instance -> memory.of(instance.component(), instance.task(), instance.value()))
                .sorted(Comparator.comparingLong(HeldMemory::bytes).reversed())
                .toList();
    }

    /** Estimates one instance: the fields that hold something; none if the time was over before. */
    HeldMemory of(String component, int task, Object instance) {
        List<HeldField> fields = new ArrayList<>();
        addFields(instance, fields, 0);
        fields.sort(Comparator.comparingLong(HeldField::bytes).reversed());
        long bytes = fields.stream().mapToLong(HeldField::bytes).sum();
        return new HeldMemory(component, task, innermost(instance).getClass().getName(), bytes, fields);
    }

    private void addFields(Object instance, List<HeldField> fields, int depth) {
        for (Field field : ClassLayout.of(instance.getClass()).references()) {
            Object value = ClassLayout.read(field, instance);
            if (isComponent(value) && isWrapper(instance) && depth < MAX_WRAPPERS) {
                addFields(value, fields, depth + 1);
            } else {
                add(field.getName(), value, fields);
            }
        }
        for (Class<?> type = instance.getClass(); type != null && isUsers(type); type = type.getSuperclass()) {
            addStatics(type, fields);
        }
    }

    private void addStatics(Class<?> type, List<HeldField> fields) {
        if (staticsSeen.add(type)) {
            ClassLayout.statics(type)
                    .forEach(field -> add("static " + field.getName(), ClassLayout.read(field, null), fields));
        }
    }

    private void add(String name, Object value, List<HeldField> fields) {
        if (value != null && !SharedClasses.isShared(value) && !walk.isOver()) {
            HeldField held = walk.walk(name, value);
            if (held.bytes() > 0) {
                fields.add(held);
            }
        }
    }

    private static Object innermost(Object instance) {
        Object inner = instance;
        for (int depth = 0; depth < MAX_WRAPPERS && isWrapper(inner); depth++) {
            for (Field field : ClassLayout.of(inner.getClass()).references()) {
                Object value = ClassLayout.read(field, inner);
                inner = isComponent(value) ? value : inner;
            }
        }
        return inner;
    }

    private static boolean isComponent(Object value) {
        return value instanceof IComponent || value instanceof IBolt || value instanceof ISpout;
    }

    private static boolean isWrapper(Object instance) {
        return !isUsers(instance.getClass());
    }

    private static boolean isUsers(Class<?> type) {
        return WRAPPERS.stream().noneMatch(type.getName()::startsWith);
    }
}
