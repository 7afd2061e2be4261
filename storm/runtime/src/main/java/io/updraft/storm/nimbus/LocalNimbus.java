package io.updraft.storm.nimbus;

import io.updraft.storm.blob.NimbusBlobs;
import io.updraft.storm.cluster.EmbeddedCluster;
import io.updraft.storm.cluster.NimbusAddress;
import io.updraft.storm.cluster.NimbusCalls;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TApplicationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of this process behind Nimbus' own interface, for programs that call Nimbus. Calls that need Storm's daemons fail
 * with a {@link TApplicationException} that names the call.
 *
 * <p>Safe to use from any thread.
 */
public final class LocalNimbus {
    private static final Logger LOG = LoggerFactory.getLogger(LocalNimbus.class);

    private LocalNimbus() {}

    /**
     * Creates the Nimbus of a cluster.
     *
     * @param cluster runs the topologies
     * @return an implementation of every call of the interface
     */
    public static Nimbus.Iface of(EmbeddedCluster cluster) {
        Object calls = new NimbusCalls(cluster, NimbusAddress.NONE);
        Object submissions = new InProcessSubmissions(cluster);
        return of(false, () -> {
            NimbusBlobs blobs = cluster.blobs();
            return blobs == null ? List.of(calls, submissions, cluster) : List.of(calls, blobs, submissions, cluster);
        });
    }

    /**
     * Creates a Nimbus from parts.
     *
     * @param remote whether the callers are in other processes: they then receive undeclared exceptions as a {@link
     *     TApplicationException}
     * @param parts objects with methods for the calls; each call goes to the first part that has a public method with its name
     *     and parameters
     */
    static Nimbus.Iface of(boolean remote, Object... parts) {
        List<Object> all = List.of(parts);
        return of(remote, () -> all);
    }

    private static Nimbus.Iface of(boolean remote, Supplier<List<Object>> parts) {
        return (Nimbus.Iface) Proxy.newProxyInstance(
                LocalNimbus.class.getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, new Dispatcher(remote, parts));
    }

    private record Dispatcher(boolean remote, Supplier<List<Object>> parts) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            for (Object part : parts.get()) {
                Method offered = offered(part, method);
                if (offered != null) {
                    return call(part, offered, arguments);
                }
            }
            throw new TApplicationException(
                    TApplicationException.UNKNOWN_METHOD,
                    "an embedded cluster does not support Nimbus' call '" + method.getName() + "'");
        }

        private Object call(Object part, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(part, arguments);
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                if (cause instanceof IOException || remote && cause instanceof RuntimeException) {
                    LOG.info("Nimbus' call '{}' failed", method.getName(), cause);
                    throw new TApplicationException(
                            TApplicationException.INTERNAL_ERROR, FailureMessages.oneLine(cause));
                }
                throw cause;
            }
        }

        private static Method offered(Object part, Method wanted) {
            try {
                return part.getClass().getMethod(wanted.getName(), wanted.getParameterTypes());
            } catch (NoSuchMethodException e) {
                return null;
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
