package io.updraft.transport;

/** A listening address of a transport. Owner only. */
public interface Binding extends AutoCloseable {

    /** {@return the address on which the transport listens, with the port that the system chose} */
    Address address();

    /** Stops listening. Open channels stay open. Idempotent. */
    @Override
    void close();
}
