package io.updraft.transport;

import java.util.Optional;

/** Creates transports of one kind. Found by {@link java.util.ServiceLoader}: adding a jar adds its transports. */
public interface TransportProvider {

    /** {@return the name of the transport in a configuration} */
    String name();

    /** {@return whether the transports encrypt when TLS is enabled; if not, creating one with TLS enabled is refused} */
    default boolean isAbleToEncrypt() {
        return false;
    }

    /**
     * Creates a transport.
     *
     * @param options the options from the configuration
     * @return a transport; the caller must close it
     * @throws TransportException when the transport cannot run here; the message names the missing part and how to install it,
     *     on one line
     */
    Transport create(TransportOptions options) throws TransportException;

    /**
     * Starts the service that the transports of several processes on this host share. Most kinds of transport share nothing.
     *
     * @param options the options from the configuration
     * @return the service; the caller must close it after those processes have ended. Empty when this kind of transport has no
     *     service, when the configuration already names one, or when the service cannot run in this process, which is logged;
     *     the transports then run without it
     * @throws TransportException when the service should run and does not; the message gives the cause and the remedy on one
     *     line
     */
    default Optional<HostService> openHostService(TransportOptions options) throws TransportException {
        return Optional.empty();
    }
}
