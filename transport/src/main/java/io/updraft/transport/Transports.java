package io.updraft.transport;

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
     * @throws TransportException when there is none of that name, or it cannot run here
     */
    public static Transport create(String name, TransportOptions options) throws TransportException {
        TreeMap<String, TransportProvider> found = new TreeMap<>();
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            found.put(provider.name(), provider);
        }
        TransportProvider provider = found.get(name);
        if (provider == null) {
            throw new TransportException("there is no transport '" + name + "': there are " + found.keySet());
        }
        return provider.create(options);
    }
}
