package io.updraft.transport.session;

import io.updraft.transport.security.Credentials;

/**
 * How sessions behave.
 *
 * @param self who this side is
 * @param credentials how both sides prove that they belong to the topology
 * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session
 * @param heartbeatNanos a side that has sent nothing for so long says that it lives, nanoseconds
 * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds; also the limit of a handshake
 * @param firstBackOffNanos pause before the second attempt to open a channel, nanoseconds; it doubles with each further one
 *     ({@code storm.messaging.netty.min_wait_ms})
 * @param longestBackOffNanos the longest pause, nanoseconds ({@code storm.messaging.netty.max_wait_ms})
 * @param seed of the jitter of pauses
 */
public record MessengerOptions(
        Peer self,
        Credentials credentials,
        int creditBytes,
        long heartbeatNanos,
        long silenceNanos,
        long firstBackOffNanos,
        long longestBackOffNanos,
        long seed) {

    private static final int DEFAULT_CREDIT = 8 * 1024 * 1024;
    private static final long MILLI = 1_000_000;

    /**
     * Gives the defaults: 8 MiB of credit, a heartbeat each 500 ms, 3 s of silence, pauses from 100 ms to 1 s.
     *
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @return options
     */
    public static MessengerOptions of(Peer self, Credentials credentials) {
        return new MessengerOptions(
                self,
                credentials,
                DEFAULT_CREDIT,
                500 * MILLI,
                3_000 * MILLI,
                100 * MILLI,
                1_000 * MILLI,
                System.nanoTime());
    }
}
