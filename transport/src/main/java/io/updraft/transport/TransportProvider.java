package io.updraft.transport;

import java.util.Optional;

/**
 * Makes transports of one kind. Found by {@link java.util.ServiceLoader}, so that a transport is added by adding its jar.
 */
public interface TransportProvider {

    /** {@return the name by which a configuration chooses it} */
    String name();

    /** {@return whether its transports encrypt when the configuration asks for TLS; one that does not is refused then} */
    default boolean isAbleToEncrypt() {
        return false;
    }

    /**
     * Makes a transport.
     *
     * @param options what the configuration says
     * @return a transport, to be closed by the caller
     * @throws TransportException when it cannot run here; the message says on one line what is missing and how to get it
     */
    Transport create(TransportOptions options) throws TransportException;

    /**
     * Starts what the transports of several processes of this host are to share. Most kinds of transport share nothing.
     *
     * @param options what the configuration says
     * @return the service, to be closed by the caller after those processes have ended; empty when this kind has none, when
     *     the configuration names one already, or when it cannot run in this process, which is logged. Transports then do
     *     without
     * @throws TransportException when it should run and does not; the message says on one line why, and what to do
     */
    default Optional<HostService> openHostService(TransportOptions options) throws TransportException {
        return Optional.empty();
    }
}
