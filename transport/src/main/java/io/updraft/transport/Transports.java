package io.updraft.transport;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The transports on the class path, and those beside this class if it has a loader of its own. */
public final class Transports {

    private Transports() {}

    /** {@return the names of all of them, in alphabetical order} */
    public static List<String> names() {
        return List.copyOf(providers().keySet());
    }

    /**
     * Makes a transport.
     *
     * @param name its name
     * @param options what the configuration says
     * @return the transport, to be closed by the caller
     * @throws TransportException when there is none of that name, it cannot run here, or TLS is asked for and it has none
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
     * Makes a transport whose messages do not leave this host, because it listens on loopback only. It need not encrypt.
     *
     * @param name its name
     * @param options what the configuration says
     * @return the transport, to be closed by the caller; it encrypts if TLS is asked for and it is able to
     * @throws TransportException when there is none of that name, or it cannot run here
     */
    public static Transport createWithinHost(String name, TransportOptions options) throws TransportException {
        return find(name).create(options);
    }

    private static TransportProvider find(String name) throws TransportException {
        Map<String, TransportProvider> found = providers();
        TransportProvider provider = found.get(name);
        if (provider == null) {
            throw new TransportException("there is no transport '" + name + "': there are " + found.keySet());
        }
        return provider;
    }

    /**
     * Starts what several processes of this host share when they talk over a transport.
     *
     * @param name the transport's name
     * @param options what the configuration says
     * @return the service, to be closed by the caller after those processes have ended; empty if there is nothing to share,
     *     or no transport of that name
     * @throws TransportException when it should run and does not
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
