package io.updraft.transport;

/**
 * One way to carry bytes between processes. Belongs to one thread, the owner: see the package. The owner is whoever calls
 * {@link #poll} first.
 *
 * <p>Life: bind and connect at any time; poll for as long as anything is wanted of it; close once. After {@link #close} no
 * handler hears of anything any more.
 */
public interface Transport extends AutoCloseable {

    /** {@return the name by which a configuration chooses it, for example {@code netty}} */
    String name();

    /** {@return what it runs on here, for people, for example {@code netty, epoll}} */
    String description();

    /** {@return whether both ends of each channel have proved by certificates who they are, before a message goes over it} */
    default boolean isMutuallyAuthenticated() {
        return false;
    }

    /**
     * Listens. Owner only.
     *
     * @param address where; with port 0 the system chooses
     * @param acceptor makes the handler of each channel that a peer opens
     * @return the binding, listening already
     * @throws TransportException when the address cannot be had; the message says why and what to do
     */
    Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException;

    /**
     * Begins to open a channel to a peer. Owner only. Returns at once; the handler hears {@link ChannelHandler#onOpen} or, if
     * it does not come about within the connect timeout, {@link ChannelHandler#onClosed}, exactly one of them first, both
     * from within a later {@link #poll}.
     *
     * @param address where the peer listens
     * @param handler hears of the channel
     */
    void connect(Address address, ChannelHandler handler);

    /**
     * Does what there is to do and returns without waiting: accepts, opens, reads, writes, calls handlers. Owner only.
     *
     * @return how much was done; 0 if there was nothing to do
     */
    int poll();

    /**
     * Waits until there may be something to do, {@link #wakeUp} is called or the time is over. Owner only, not from within a
     * callback. May return early for no reason.
     *
     * @param nanos how long at the most, nanoseconds
     */
    void await(long nanos);

    /** Makes {@link #await}, the one that is on or else the next, return. From any thread; cheap. */
    void wakeUp();

    /** Closes all channels and bindings and gives back all resources. Owner only, not from within a callback. Idempotent. */
    @Override
    void close();
}
