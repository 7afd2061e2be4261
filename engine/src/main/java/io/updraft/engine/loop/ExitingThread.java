package io.updraft.engine.loop;

import io.updraft.engine.api.ExitCalled;
import java.util.List;

/**
 * A thread that has asked the JVM to exit, and never goes on: finds the executor whose code it runs. A thread of the engine's is in
 * the turn of one. Of a thread of the user's only the classes on its stack are known.
 *
 * @param thread the thread
 * @param stack its stack
 */
record ExitingThread(Thread thread, StackTraceElement[] stack) {
    private static final String ENGINE = ExitingThread.class.getPackageName() + ".";

    /** {@return whether the code was that of one of the executors, whose topology has died of it then} */
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

    /** The method of the component's that the engine has called. */
    static String calledMethod(StackTraceElement[] stack) {
        for (int i = 1; i < stack.length; i++) {
            if (stack[i].getClassName().startsWith(ENGINE)) {
                return stack[i - 1].getMethodName();
            }
        }
        return "a call";
    }
}
