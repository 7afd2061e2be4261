package io.updraft.transport.aeron;

import io.updraft.transport.TransportOptions;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of this transport, read from a configuration.
 *
 * @param sharedDriver folder of the driver that all peers share; empty if the transport starts its own
 * @param mtu bytes of a datagram
 * @param loopbackMtu bytes of a datagram to this host; equal to {@code mtu} if that is configured
 * @param termBytes bytes of a term of a log; a publication maps three terms, and has at most half a term in flight
 * @param maxMessage most bytes of a message that this side sends or receives
 * @param connectTimeoutNanos limit of opening a channel, nanoseconds
 * @param maxChanging most channels of one binding that are being opened or closed; further peers wait for one of these
 * @param maxWaiting most peers that may wait; for one more, the oldest is dropped
 * @param threads threads of the driver: 1 for all work, 2 for network and the rest
 */
record AeronSettings(
        Optional<String> sharedDriver,
        int mtu,
        int loopbackMtu,
        int termBytes,
        int maxMessage,
        long connectTimeoutNanos,
        int maxChanging,
        int maxWaiting,
        int threads) {

    private static final int LEAST_TERM = 64 * 1024;
    private static final int MAX_TERM = 64 * 1024 * 1024;
    private static final int DEFAULT_MTU = 1_408;

    /**
     * Larger than over a network, because each datagram is a system call at both ends. The receiver's initial window takes
     * eight of these datagrams.
     */
    private static final int DEFAULT_LOOPBACK_MTU = 16_384;

    private static final int LEAST_MTU = 512;
    private static final int MAX_MTU = 65_504;
    private static final int MESSAGES_IN_A_TERM = 8;

    /** Each such channel has a publication already: a log of three terms and some of the driver's counters. */
    private static final int MAX_CHANGING = 128;

    private static final int FRAME_ALIGNMENT = 32;

    static AeronSettings of(TransportOptions options) {
        int term = LEAST_TERM;
        while (term < options.bufferBytes() && term < MAX_TERM) {
            term *= 2;
        }
        return new AeronSettings(
                Optional.ofNullable(options.conf().get(AeronProvider.SHARED_DRIVER))
                        .map(Object::toString),
                mtu(options.conf(), DEFAULT_MTU, term),
                mtu(options.conf(), DEFAULT_LOOPBACK_MTU, term),
                term,
                Math.min(options.maxMessageBytes(), term / MESSAGES_IN_A_TERM - AeronProtocol.HEADER),
                options.connectTimeoutNanos(),
                Math.min(MAX_CHANGING, TransportOptions.maxUnauthenticated(options.conf())),
                TransportOptions.maxUnauthenticated(options.conf()),
                options.threads());
    }

    private static int mtu(Map<String, Object> conf, int otherwise, int term) {
        Object value = conf.getOrDefault(AeronProvider.MTU, otherwise);
        if (!(value instanceof Number number)
                || number.longValue() < LEAST_MTU
                || number.longValue() > MAX_MTU
                || number.longValue() % FRAME_ALIGNMENT != 0) {
            throw new IllegalArgumentException(AeronProvider.MTU + " is '" + value + "': it must be a multiple of "
                    + FRAME_ALIGNMENT + " from " + LEAST_MTU + " to " + MAX_MTU);
        }
        // Aeron rejects datagrams that are longer than the longest message.
        return Math.min(number.intValue(), term / MESSAGES_IN_A_TERM);
    }
}
