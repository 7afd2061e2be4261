package io.updraft.transport.zeromq;

/** The way from one channel to its socket. Owner only. */
interface Line {

    /**
     * Sends a frame.
     *
     * @return false when there is no connection to send it on
     */
    boolean send(byte[] frame);

    /**
     * Gives back what the channel has of the socket, as soon as the callbacks that are on have returned.
     *
     * @param linger whether what was sent before may still leave
     */
    void release(boolean linger);
}
