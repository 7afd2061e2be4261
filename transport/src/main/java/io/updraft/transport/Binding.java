package io.updraft.transport;

/** A listening transport. Owner only. */
public interface Binding extends AutoCloseable {

    /** {@return where it listens, with the port that was chosen} */
    Address address();

    /** Listens no more; channels that are open stay open. Idempotent. */
    @Override
    void close();
}
