package io.updraft.transport.zeromq;

import io.updraft.transport.TransportOptions;
import org.zeromq.ZMQ;

/**
 * The settings of all sockets of a transport.
 *
 * @param window the most bytes under way in each direction: bytes that this side lets a peer send, and sends itself at most
 * @param maxMessage maximum size of a message in bytes
 * @param connectTimeoutNanos limit of opening a channel, nanoseconds
 * @param heartbeatMillis interval between two pings of a connection, milliseconds
 * @param maxClosed maximum number of closed channels of one binding whose peers have not disconnected; while it is reached, the
 *     binding accepts no more channels
 * @param threads number of I/O threads
 */
record ZeroMqSettings(
        int window, int maxMessage, long connectTimeoutNanos, int heartbeatMillis, int maxClosed, int threads) {

    /** The overhead of a message in bytes, in the two queues that it passes: objects of JeroMQ, and the header. */
    static final int OVERHEAD = 64;

    private static final int DEFAULT_HEARTBEAT = 2_000;
    private static final int PINGS_UNTIL_DEAD = 3;
    private static final int SPARE_MESSAGES = 64;
    private static final long MILLI = 1_000_000;

    static ZeroMqSettings of(TransportOptions options) {
        Object heartbeat = options.conf().getOrDefault(ZeroMqProvider.HEARTBEAT, DEFAULT_HEARTBEAT);
        if (!(heartbeat instanceof Number number) || number.longValue() < 1 || number.longValue() > 3_600_000) {
            throw new IllegalArgumentException(ZeroMqProvider.HEARTBEAT + " is '" + heartbeat
                    + "': it must be a number of milliseconds from 1 to 3600000");
        }
        return new ZeroMqSettings(
                options.bufferBytes(),
                options.maxMessageBytes(),
                options.connectTimeoutNanos(),
                number.intValue(),
                TransportOptions.maxUnauthenticated(options.conf()),
                options.threads());
    }

    void apply(ZMQ.Socket socket) {
        // The window bounds the bytes sent. JeroMQ must never refuse a frame, because CREDIT and CLOSE must always
        // pass.
        socket.setSndHWM(0);
        // A peer that observes the window stays below this limit. From a peer that does not, JeroMQ stops reading.
        socket.setRcvHWM(2 * (window / OVERHEAD) + SPARE_MESSAGES);
        // A message that is somewhat too long is read, so that the peer gets the reason. A far longer one ends the
        // connection.
        socket.setMaxMsgSize(2L * maxMessage + ZeroMqProtocol.HEADER);
        socket.setHeartbeatIvl(heartbeatMillis);
        socket.setHeartbeatTimeout(PINGS_UNTIL_DEAD * heartbeatMillis);
        socket.setHandshakeIvl((int) Math.max(1, Math.min(Integer.MAX_VALUE, connectTimeoutNanos / MILLI)));
    }
}
