package io.updraft.engine.topology;

import io.updraft.engine.emit.BoltCollector;
import io.updraft.engine.executor.Executor;
import java.util.List;
import java.util.Set;

/** Finds the method of a component that the engine has called, by the stack of the thread. */
final class CalledMethod {

    /** The packages of the engine from which methods of components are called. */
    private static final Set<String> CALLERS =
            Set.copyOf(List.of(Executor.class.getPackageName(), BoltCollector.class.getPackageName()));

    private CalledMethod() {}

    /** {@return the name of the method; "a call" if the stack does not tell} */
    static String on(StackTraceElement[] stack) {
        for (int i = 1; i < stack.length; i++) {
            String type = stack[i].getClassName();
            if (CALLERS.contains(type.substring(0, Math.max(0, type.lastIndexOf('.'))))) {
                return stack[i - 1].getMethodName();
            }
        }
        return "a call";
    }
}
