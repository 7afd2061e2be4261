package io.updraft.engine.run;

import io.updraft.engine.snapshot.RunningCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the components whose code threads run. A thread of the engine is in the turn of an executor. For a thread of the user only
 * the classes on its stack identify the component.
 */
final class ComponentThreads {
    private final List<Executor> executors;
    private final long now;
    private final Map<Executor, ComponentClasses> classes = new HashMap<>();

    /** Creates a search among the threads of some executors, at a time by the engine's clock in nanoseconds. */
    public ComponentThreads(List<Executor> executors, long now) {
        this.executors = executors;
        this.now = now;
    }

    /** {@return the code of each thread that runs code of a component} */
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        Map<Thread, RunningCode> code = new HashMap<>();
        stacks.forEach((thread, stack) -> inTurn(thread, stack)
                .or(() -> owner(stack).map(RunningCode::ofOwnThread))
                .ifPresent(found -> code.put(thread, found)));
        return code;
    }

    /**
     * Finds the classes whose frames are code of each component. A class that another component has too, such as a common
     * superclass, counts only for components that have no other.
     *
     * @return the names of the classes by component
     */
    public Map<String, Set<String>> classes() {
        Map<String, Set<String>> all = new TreeMap<>();
        executors.forEach(executor -> all.computeIfAbsent(
                executor.component().id(), id -> new ComponentClasses(executor.anyInstance()).ofTheUser()));
        Map<String, Set<String>> own = new TreeMap<>();
        all.forEach((component, names) -> own.put(component, withoutShared(component, all)));
        return own;
    }

    private static Set<String> withoutShared(String component, Map<String, Set<String>> all) {
        Set<String> names = all.get(component);
        Set<String> own = names.stream()
                .filter(name -> all.entrySet().stream()
                        .noneMatch(other -> !other.getKey().equals(component)
                                && other.getValue().contains(name)))
                .collect(Collectors.toSet());
        return own.isEmpty() ? names : own;
    }

    private Optional<RunningCode> inTurn(Thread thread, StackTraceElement[] stack) {
        return executors.stream()
                .filter(executor -> executor.turnThread().isTurnOf(thread))
                .findFirst()
                .map(executor -> code(executor, stack));
    }

    private RunningCode code(Executor executor, StackTraceElement[] stack) {
        long since = executor.turnThread().since();
        long nanos = since == TurnThread.NO_TURN ? 0 : Math.max(0, now - since);
        return new RunningCode(executor.component().id(), executor.taskInCall(), CalledMethod.on(stack), nanos);
    }

    private Optional<String> owner(StackTraceElement[] stack) {
        return executors.stream()
                .filter(executor -> classes.computeIfAbsent(executor, each -> new ComponentClasses(each.anyInstance()))
                        .isOn(stack))
                .findFirst()
                .map(executor -> executor.component().id());
    }
}
