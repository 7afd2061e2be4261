package io.updraft.engine.run;

import io.updraft.engine.api.ComponentCounts;
import io.updraft.engine.api.ObservedEngine;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.snapshot.RunningCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shows the memory of an engine. Any thread may call it.
 *
 * @param topology the name of the topology
 * @param assembly the loops and executors of the engine
 */
record EngineMemory(String topology, LoopAssembly assembly) implements ObservedEngine {

    @Override
    public List<ComponentCounts> counts() {
        List<Executor> executors = assembly.executors();
        List<ComponentCounts> counts = new ArrayList<>();
        for (ComponentPlan component : assembly.shared().plan().components()) {
            List<Executor> own = executors.stream()
                    .filter(executor -> executor.component() == component)
                    .toList();
            if (!own.isEmpty()) {
                counts.add(counts(component, own));
            }
        }
        return counts;
    }

    private static ComponentCounts counts(ComponentPlan component, List<Executor> own) {
        return new ComponentCounts(
                component.id(),
                sum(own, ExecutorCounter.EMITTED),
                sum(own, ExecutorCounter.EXECUTED),
                sum(own, ExecutorCounter.ACKED),
                own.stream()
                        .mapToLong(executor -> executor.connection().queued())
                        .sum(),
                sum(own, ExecutorCounter.IN_FLIGHT));
    }

    private static long sum(List<Executor> executors, ExecutorCounter counter) {
        return executors.stream()
                .mapToLong(executor -> executor.counters().total(counter))
                .sum();
    }

    @Override
    public List<Instance> instances() {
        List<Instance> instances = new ArrayList<>();
        for (Executor executor : assembly.executors()) {
            for (int task : executor.plan().taskIds()) {
                Object instance = executor.instance(task);
                if (instance != null) {
                    instances.add(new Instance(executor.component().id(), task, instance));
                }
            }
        }
        return instances;
    }

    @Override
    public void endTurns() {
        assembly.shared().lifecycle().die();
    }

    @Override
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        return new ComponentThreads(
                        assembly.executors(), assembly.shared().clock().nanoTime())
                .codeOf(stacks);
    }
}
