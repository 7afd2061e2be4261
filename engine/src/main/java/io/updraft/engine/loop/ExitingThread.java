package io.updraft.engine.loop;

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
    private static final String ENGINE = ExitingThread.class.getPackageName() + ".";

    /** {@return whether the code belongs to one of the executors; the topology has then been ended with the failure} */
    boolean blame(List<Executor> executors) {
        for (Executor executor : executors) {
            if (executor.detour.isTurnOf(thread)) {
                executor.exitedInTurn(calledMethod(stack), ExitCalled.by(stack));
                return true;
            }
        }
        return blameOwner(executors);
    }

    private boolean blameOwner(List<Executor> executors) {
        List<Executor> owners = executors.stream()
                .filter(executor -> new ComponentCode(executor.anyInstance()).isOn(stack))
                .toList();
        List<String> names = owners.stream()
                .map(executor -> executor.component.id())
                .distinct()
                .toList();
        if (names.isEmpty()) {
            return false;
        }
        String others = names.size() == 1 ? "" : " with code of the components " + String.join(", ", names);
        owners.get(0).exitedOutside("thread '" + thread.getName() + "'" + others, ExitCalled.by(stack));
        return true;
    }

    /** Returns the method of the component that the engine called. */
    static String calledMethod(StackTraceElement[] stack) {
        for (int i = 1; i < stack.length; i++) {
            if (stack[i].getClassName().startsWith(ENGINE)) {
                return stack[i - 1].getMethodName();
            }
        }
        return "a call";
    }
}
