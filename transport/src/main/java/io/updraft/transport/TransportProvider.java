package io.updraft.transport;

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
}
