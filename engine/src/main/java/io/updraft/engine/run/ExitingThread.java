package io.updraft.engine.run;

import io.updraft.engine.api.ExitCalled;
import java.util.List;

/**
 * A thread that called {@code System.exit} and never returns from that call. Finds the executor whose code the thread runs. A
 * thread of the engine is in the turn of an executor. For a thread of the user only the classes on its stack identify the
 * component.
 *
 * @param thread the thread
 * @param stack the stack of the thread
 */
record ExitingThread(Thread thread, StackTraceElement[] stack) {
    /** {@return whether the code belongs to one of the executors; the topology has then been ended with the failure} */
    public boolean blame(List<Executor> executors) {
        for (Executor executor : executors) {
            if (executor.turnThread().isTurnOf(thread)) {
                executor.exitedInTurn(CalledMethod.on(stack), ExitCalled.by(stack));
                return true;
            }
        }
        return blameOwner(executors);
    }

    private boolean blameOwner(List<Executor> executors) {
        List<Executor> owners = executors.stream()
                .filter(executor -> new ComponentClasses(executor.anyInstance()).isOn(stack))
                .toList();
        List<String> names = owners.stream()
                .map(executor -> executor.component().id())
                .distinct()
                .toList();
        if (names.isEmpty()) {
            return false;
        }
        String components = names.size() == 1 ? "" : " with code of the components " + String.join(", ", names);
        owners.get(0).failures().exitedOutside("thread '" + thread.getName() + "'" + components, ExitCalled.by(stack));
        return true;
    }

    /** Reports that a call of a component did not return when the topology was closed. */
    public void leaveBehind(Executor executor) {
        executor.failures().leftBehind(CalledMethod.on(stack), stack);
    }
}
