package io.updraft.transport;

import java.util.Map;

/**
 * A service that the transports of one kind share on one host, for example a driver through whose memory they exchange
 * messages. The process that starts the communicating processes opens the service first, and closes it only after they have
 * ended. Methods may be called from any thread.
 */
public interface HostService extends AutoCloseable {

    /** {@return the entries to add to the configuration of those processes, so that their transports find the service} */
    Map<String, Object> options();

    /** Ends the service and removes its files and memory from this host. Idempotent. */
    @Override
    void close();
}
