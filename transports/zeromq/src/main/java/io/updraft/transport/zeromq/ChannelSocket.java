package io.updraft.transport.zeromq;

/** Connects one channel to its socket. Owner only. */
interface ChannelSocket {

    /**
     * Sends a frame.
     *
     * @return false when there is no connection to send it on
     */
    boolean send(byte[] frame);

    /**
     * Releases the channel's part of the socket.
     *
     * @param linger whether frames sent before may still leave
     */
    void release(boolean linger);
}
