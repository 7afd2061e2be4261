package io.updraft.storm;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TApplicationException;

/**
 * A cluster of this process behind Nimbus' own interface, for programs that speak to Nimbus. Calls that only make sense
 * with daemons, blobs or a user interface are refused by name with a {@link TApplicationException}.
 *
 * <p>Safe to use from any thread.
 */
public final class LocalNimbus {
    private LocalNimbus() {}

    /**
     * Makes the Nimbus of a cluster.
     *
     * @param cluster where topologies go
     * @return an implementation of every call of the interface
     */
    public static Nimbus.Iface of(UpdraftCluster cluster) {
        return (Nimbus.Iface) Proxy.newProxyInstance(
                LocalNimbus.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class},
                new Dispatcher(new NimbusCalls(cluster)));
    }

    private record Dispatcher(NimbusCalls calls) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            try {
                return offered(method).invoke(calls, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private static Method offered(Method wanted) throws TApplicationException {
            try {
                return NimbusCalls.class.getMethod(wanted.getName(), wanted.getParameterTypes());
            } catch (NoSuchMethodException e) {
                throw new TApplicationException(
                        TApplicationException.UNKNOWN_METHOD,
                        "an embedded cluster does not offer Nimbus' call '" + wanted.getName() + "'");
            }
        }

        private Object ofObject(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "LocalNimbus";
            };
        }
    }
}
