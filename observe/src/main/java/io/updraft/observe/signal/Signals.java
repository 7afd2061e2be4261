package io.updraft.observe.signal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Handles signals of the operating system. The JDK's only class for signals is {@code sun.misc.Signal}. It is exported for this
 * use, but the compiler warns of it, so this class calls it by reflection. Where it is missing, no signal is handled.
 */
public final class Signals {
    private Signals() {}

    /**
     * Handles a signal from now on, and replaces the previous handler.
     *
     * @param name the name without {@code SIG}: {@code INT}, {@code TERM}, {@code HUP}, {@code WINCH}
     * @param handler runs on a thread of the JVM for each signal; null ignores the signal
     * @return whether this JVM allows the signal to be handled
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
