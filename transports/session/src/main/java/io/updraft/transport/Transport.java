package io.updraft.transport;

/**
 * Carries bytes between processes. Belongs to one thread, the owner; see the package. The first thread that calls {@link #poll}
 * becomes the owner.
 *
 * <p>Life cycle: bind and connect at any time, poll for as long as the transport is in use, close once. After {@link #close} no
 * handler is called.
 */
public interface Transport extends AutoCloseable {

    /** {@return the name of the transport in a configuration, for example {@code netty}} */
    String name();

    /** {@return the implementation in use, as text for people, for example {@code netty, epoll}} */
    String description();

    /** {@return whether both ends of each channel authenticate by certificates before the first message} */
    default boolean isMutuallyAuthenticated() {
        return false;
    }

    /**
     * Listens on an address. Owner only.
     *
     * @param address the address; for port 0 the system chooses a port
     * @param acceptor creates the handler of each channel that a peer opens
     * @return the binding, listening already
     * @throws TransportException when the address cannot be bound; the message gives the cause and the remedy
     */
    Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException;

    /**
     * Starts to open a channel to a peer and returns at once. Owner only. A later {@link #poll} first calls exactly one of two
     * methods of the handler: {@link ChannelHandler#onOpen}, or {@link ChannelHandler#onClosed} if the channel is not open
     * within the connect timeout.
     *
     * @param address the address on which the peer listens
     * @param handler the handler of the channel
     */
    void connect(Address address, ChannelHandler handler);

    /**
     * Does all pending work and returns without waiting: accepts, opens, reads, writes, calls handlers. Owner only.
     *
     * @return the amount of work done; 0 if there was none
     */
    int poll();

    /**
     * Waits until there may be work, {@link #wakeUp} is called or the time has passed. Owner only, not from within a callback.
     * May return early without a cause.
     *
     * @param nanos the longest time to wait, nanoseconds
     */
    void await(long nanos);

    /** Makes the current call of {@link #await} return, or else the next one. May be called from any thread. Cheap. */
    void wakeUp();

    /** Closes all channels and bindings and releases all resources. Owner only, not from within a callback. Idempotent. */
    @Override
    void close();
}
