package io.updraft.transport;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The transports on the class path. */
public final class Transports {

    private Transports() {}

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
        TreeMap<String, TransportProvider> found = new TreeMap<>();
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            found.put(provider.name(), provider);
        }
        TransportProvider provider = found.get(name);
        if (provider == null) {
            throw new TransportException("there is no transport '" + name + "': there are " + found.keySet());
        }
        return provider;
    }
}
