package io.updraft.transport.session;

import io.updraft.transport.security.Credentials;
import java.nio.charset.StandardCharsets;

/**
 * How sessions behave.
 *
 * @param self who this side is
 * @param credentials how both sides prove that they belong to the topology
 * @param allowUnauthenticated whether to listen without a secret where other hosts could connect; whoever connects can then
 *     send the topology any tuple
 * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session
 * @param heartbeatNanos how often a side says what it has received, and so that it lives, nanoseconds
 * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds; also the limit of a handshake
 * @param firstBackOffNanos pause before the second attempt to open a channel, nanoseconds; it doubles with each further one
 *     ({@code storm.messaging.netty.min_wait_ms})
 * @param longestBackOffNanos the longest pause, nanoseconds ({@code storm.messaging.netty.max_wait_ms})
 * @param seed of the jitter of pauses
 */
public record MessengerOptions(
        Peer self,
        Credentials credentials,
        boolean allowUnauthenticated,
        int creditBytes,
        long heartbeatNanos,
        long silenceNanos,
        long firstBackOffNanos,
        long longestBackOffNanos,
        long seed) {

    /** The most bytes of a topology's id, so that a hello fits the shortest message that every channel can carry. */
    public static final int MAX_TOPOLOGY_ID_BYTES = 512;

    private static final int DEFAULT_CREDIT = 8 * 1024 * 1024;
    private static final long MILLI = 1_000_000;

    /**
     * Creates options.
     *
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @param allowUnauthenticated whether to listen without a secret where other hosts could connect
     * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session, at least 1
     * @param heartbeatNanos how often a side says what it has received, nanoseconds, at least 1
     * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds; at least two
     *     heartbeats
     * @param firstBackOffNanos pause before the second attempt to open a channel, nanoseconds, at least 1
     * @param longestBackOffNanos the longest pause, nanoseconds; no shorter than the first
     * @param seed of the jitter of pauses
     * @throws IllegalArgumentException when they make no sense; the message says which and why
     */
    public MessengerOptions {
        require(
                self.topologyId().getBytes(StandardCharsets.UTF_8).length <= MAX_TOPOLOGY_ID_BYTES,
                "the topology's id is longer than " + MAX_TOPOLOGY_ID_BYTES + " bytes: " + self.topologyId());
        require(creditBytes > 0, "the credit of a session is " + creditBytes + " bytes: it must be at least 1");
        require(heartbeatNanos > 0, "the heartbeat is " + heartbeatNanos + " ns: it must be at least 1");
        require(
                silenceNanos / 2 >= heartbeatNanos,
                "the silence that ends a session is " + silenceNanos + " ns: it must be at least twice the heartbeat, "
                        + heartbeatNanos + " ns");
        require(
                firstBackOffNanos > 0 && longestBackOffNanos >= firstBackOffNanos,
                "the pauses between attempts to connect are " + firstBackOffNanos + " to " + longestBackOffNanos
                        + " ns: the first must be at least 1, the longest no shorter");
    }

    /**
     * Creates options that do not allow to listen without a secret where other hosts could connect.
     *
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session
     * @param heartbeatNanos how often a side says what it has received, nanoseconds
     * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds
     * @param firstBackOffNanos pause before the second attempt to open a channel, nanoseconds
     * @param longestBackOffNanos the longest pause, nanoseconds
     * @param seed of the jitter of pauses
     */
    public MessengerOptions(
            Peer self,
            Credentials credentials,
            int creditBytes,
            long heartbeatNanos,
            long silenceNanos,
            long firstBackOffNanos,
            long longestBackOffNanos,
            long seed) {
        this(
                self,
                credentials,
                false,
                creditBytes,
                heartbeatNanos,
                silenceNanos,
                firstBackOffNanos,
                longestBackOffNanos,
                seed);
    }

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

    /**
     * Says whether to listen without a secret where other hosts could connect.
     *
     * @param allowed whether it is allowed
     * @return options that are otherwise the same
     */
    public MessengerOptions withAllowUnauthenticated(boolean allowed) {
        return new MessengerOptions(
                self,
                credentials,
                allowed,
                creditBytes,
                heartbeatNanos,
                silenceNanos,
                firstBackOffNanos,
                longestBackOffNanos,
                seed);
    }

    private static void require(boolean met, String otherwise) {
        if (!met) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
