package io.updraft.transport;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;

/** The transports on the class path of the calling thread, and those found by the class loader of this class. */
public final class Transports {
    /** Updraft's transports that an installation may leave out. */
    private static final Set<String> OPTIONAL = Set.of("aeron", "ucx", "zeromq");

    private Transports() {}

    /** {@return the names of all transports, in alphabetical order} */
    public static List<String> names() {
        return List.copyOf(providers().keySet());
    }

    /**
     * Creates a transport.
     *
     * @param name the name of the transport
     * @param options the options from the configuration
     * @return the transport; the caller must close it
     * @throws TransportException when there is no transport of that name, it cannot run here, or TLS is enabled and it cannot
     *     encrypt
     */
    public static Transport create(String name, TransportOptions options) throws TransportException {
        TransportProvider provider = find(name);
        Optional<String> tls = options.tlsKey();
        if (tls.isPresent() && !provider.isAbleToEncrypt()) {
            throw new TransportException(tls.get() + " is true, but the transport '" + name
                    + "' cannot encrypt: choose netty, or set the key to false");
        }
        return provider.create(options);
    }

    /**
     * Creates a transport whose messages stay on this host, because it listens on loopback only. The transport need not
     * encrypt.
     *
     * @param name the name of the transport
     * @param options the options from the configuration
     * @return the transport; the caller must close it. It encrypts if TLS is enabled and it supports encryption
     * @throws TransportException when there is no transport of that name, or it cannot run here
     */
    public static Transport createWithinHost(String name, TransportOptions options) throws TransportException {
        return find(name).create(options);
    }

    private static TransportProvider find(String name) throws TransportException {
        Map<String, TransportProvider> found = providers();
        TransportProvider provider = found.get(name);
        if (provider == null) {
            throw new TransportException(
                    OPTIONAL.contains(name)
                            ? "the transport '" + name + "' is not installed: restore the directory lib/transport-"
                                    + name + " from Updraft's archive, or choose one of " + found.keySet()
                            : "there is no transport '" + name + "': choose one of " + found.keySet());
        }
        return provider;
    }

    /**
     * Starts the service that several processes of this host share when they communicate over a transport.
     *
     * @param name the transport's name
     * @param options the options from the configuration
     * @return the service; the caller must close it after those processes have ended. Empty if the transport has no service, or
     *     there is no transport of that name
     * @throws TransportException when the service should run and does not
     */
    public static Optional<HostService> openHostService(String name, TransportOptions options)
            throws TransportException {
        TransportProvider provider = providers().get(name);
        return provider == null ? Optional.empty() : provider.openHostService(options);
    }

    private static Map<String, TransportProvider> providers() {
        Map<String, TransportProvider> found = new TreeMap<>();
        ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader())
                .forEach(provider -> found.put(provider.name(), provider));
        ServiceLoader.load(TransportProvider.class).forEach(provider -> found.put(provider.name(), provider));
        return found;
    }
}
