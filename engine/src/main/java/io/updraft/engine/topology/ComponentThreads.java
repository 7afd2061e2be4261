package io.updraft.engine.topology;

import io.updraft.engine.executor.Executor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the components whose code threads run. A thread of the engine is in the turn of an executor. For a thread of the user only
 * the classes on its stack identify the component.
 */
public final class ComponentThreads {
    private final List<Executor> executors;
    private final Map<Executor, ComponentClasses> classes = new HashMap<>();

    public ComponentThreads(List<Executor> executors) {
        this.executors = executors;
    }

    /** {@return the component of each thread that runs code of one} */
    public Map<Thread, String> componentsOf(Map<Thread, StackTraceElement[]> stacks) {
        Map<Thread, String> components = new HashMap<>();
        stacks.forEach((thread, stack) -> inTurn(thread)
                .or(() -> owner(stack))
                .ifPresent(
                        executor -> components.put(thread, executor.component().id())));
        return components;
    }

    private Optional<Executor> inTurn(Thread thread) {
        return executors.stream()
                .filter(executor -> executor.turnThread().isTurnOf(thread))
                .findFirst();
    }

    private Optional<Executor> owner(StackTraceElement[] stack) {
        return executors.stream()
                .filter(executor -> classes.computeIfAbsent(executor, each -> new ComponentClasses(each.anyInstance()))
                        .isOn(stack))
                .findFirst();
    }
}
