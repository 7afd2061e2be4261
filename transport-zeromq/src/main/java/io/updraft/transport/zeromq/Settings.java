package io.updraft.transport.zeromq;

import io.updraft.transport.TransportOptions;
import org.zeromq.ZMQ;

/**
 * What all sockets of a transport have in common.
 *
 * @param window bytes that this side lets a peer have under way, and has under way itself at the most
 * @param maxMessage most bytes of a message
 * @param connectTimeoutNanos limit of opening a channel
 * @param heartbeatMillis between two pings of a connection
 * @param maxClosed channels of one binding that are closed but whose peers have not hung up; no more are accepted meanwhile
 * @param threads I/O threads
 */
record Settings(int window, int maxMessage, long connectTimeoutNanos, int heartbeatMillis, int maxClosed, int threads) {

    /** What a message costs beside its bytes, in the two queues it passes: objects of JeroMQ, and our header. */
    static final int OVERHEAD = 64;

    private static final int DEFAULT_HEARTBEAT = 2_000;
    private static final int PINGS_UNTIL_DEAD = 3;
    private static final int SPARE_MESSAGES = 64;
    private static final long MILLI = 1_000_000;

    static Settings of(TransportOptions options) {
        Object heartbeat = options.conf().getOrDefault(ZeroMqProvider.HEARTBEAT, DEFAULT_HEARTBEAT);
        if (!(heartbeat instanceof Number number) || number.longValue() < 1 || number.longValue() > 3_600_000) {
            throw new IllegalArgumentException(ZeroMqProvider.HEARTBEAT + " is '" + heartbeat
                    + "': it must be a number of milliseconds from 1 to 3600000");
        }
        return new Settings(
                options.bufferBytes(),
                options.maxMessageBytes(),
                options.connectTimeoutNanos(),
                number.intValue(),
                TransportOptions.maxUnauthenticated(options.conf()),
                options.threads());
    }

    void apply(ZMQ.Socket socket) {
        // The window bounds what is sent. It must not be JeroMQ that refuses: CREDIT and CLOSE have to pass always.
        socket.setSndHWM(0);
        // A peer that keeps to the window stays below this; of one that does not, JeroMQ reads no more.
        socket.setRcvHWM(2 * (window / OVERHEAD) + SPARE_MESSAGES);
        // Somewhat too long a message is read, so that the reason can be told; far too long a one ends the connection.
        socket.setMaxMsgSize(2L * maxMessage + Wire.HEADER);
        socket.setHeartbeatIvl(heartbeatMillis);
        socket.setHeartbeatTimeout(PINGS_UNTIL_DEAD * heartbeatMillis);
        socket.setHandshakeIvl((int) Math.max(1, Math.min(Integer.MAX_VALUE, connectTimeoutNanos / MILLI)));
    }
}
