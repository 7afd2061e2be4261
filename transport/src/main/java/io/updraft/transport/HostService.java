package io.updraft.transport;

import java.util.Map;

/**
 * What the transports of one kind on one host share, for example a driver through whose memory they talk. Whoever starts
 * several processes that talk to each other opens it first and closes it when they are gone; it must not close earlier. Its
 * methods may be called from any thread.
 */
public interface HostService extends AutoCloseable {

    /** {@return what is to be added to the configuration of those processes, so that their transports find it} */
    Map<String, Object> options();

    /** Ends it, and takes away whatever it has left on this host. Idempotent. */
    @Override
    void close();
}
