package io.updraft.cluster.signal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. The JDK has no supported class for them but {@code sun.misc.Signal}, which is exported
 * for this very use yet warned of by the compiler; so it is reached by name, and where it is missing nothing is handled.
 */
public final class Signals {
    private Signals() {}

    /**
     * Handles a signal from now on, in place of whoever handled it before.
     *
     * @param name without {@code SIG}: {@code INT}, {@code TERM}, {@code HUP}, {@code WINCH}
     * @param handler run on a thread of the JVM's for each signal; null ignores the signal
     * @return whether this JVM lets the signal be handled
     */
    public static boolean handle(String name, Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, invocations(name, handler));
            signal.getMethod("handle", signal, handlerType)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static InvocationHandler invocations(String name, Runnable handler) {
        return (proxy, method, args) -> switch (method.getName()) {
            case "handle" -> {
                if (handler != null) {
                    handler.run();
                }
                yield null;
            }
            case "equals" -> proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "handler of SIG" + name;
        };
    }
}
