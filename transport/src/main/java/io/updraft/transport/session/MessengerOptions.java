package io.updraft.transport.session;

import io.updraft.transport.ConfReader;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How sessions behave.
 *
 * @param self who this side is
 * @param credentials how both sides prove that they belong to the topology
 * @param allowUnauthenticated whether to listen without a secret where other hosts could connect; whoever connects can then
 *     send the topology any tuple
 * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session
 * @param heartbeatNanos how often a side says what it has received, and so that it lives, nanoseconds
 * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds
 * @param handshakeNanos how long a peer may take to prove who it is, nanoseconds
 * @param maxStrangers channels opened by peers that have not proved who they are; for one more, the oldest is closed
 * @param firstBackOffNanos the shortest pause before another attempt to open a channel, nanoseconds; the longest possible one
 *     doubles with each attempt ({@code storm.messaging.netty.min_wait_ms})
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
        long handshakeNanos,
        int maxStrangers,
        long firstBackOffNanos,
        long longestBackOffNanos,
        long seed) {

    /** Bytes of frames that a worker is willing to hold for each other one; default 8 MiB. */
    public static final String CREDIT = "updraft.transport.credit.bytes";

    /** Pause between heartbeats, milliseconds; default 500. */
    public static final String HEARTBEAT = "updraft.transport.heartbeat.ms";

    /** Silence after which a peer counts as dead, milliseconds; default 3,000. */
    public static final String SILENCE = "updraft.transport.silence.ms";

    /** How long a peer may take to prove who it is, milliseconds; default 3,000. */
    public static final String HANDSHAKE = "updraft.transport.handshake.timeout.ms";

    /** The shortest pause between attempts to connect, milliseconds, as Storm names it; default 100. */
    public static final String MIN_WAIT = "storm.messaging.netty.min_wait_ms";

    /** The longest pause between attempts to connect, milliseconds, as Storm names it; default 1,000. */
    public static final String MAX_WAIT = "storm.messaging.netty.max_wait_ms";

    /** The most bytes of a topology's id, so that a hello fits the shortest message that every channel can carry. */
    public static final int MAX_TOPOLOGY_ID_BYTES = 512;

    private static final int DEFAULT_CREDIT = 8 * 1024 * 1024;
    private static final int LEAST_CREDIT = 64 * 1024;
    private static final int MOST_CREDIT = 1024 * 1024 * 1024;
    private static final int DEFAULT_HEARTBEAT_MS = 500;
    private static final int LEAST_HEARTBEAT_MS = 10;
    private static final int LONGEST_HEARTBEAT_MS = 60_000;
    private static final int DEFAULT_SILENCE_MS = 3_000;
    private static final int LEAST_HANDSHAKE_MS = 100;
    private static final int LONGEST_MS = 600_000;
    private static final int DEFAULT_STRANGERS = TransportOptions.maxUnauthenticated(Map.of());
    private static final int DEFAULT_MIN_WAIT_MS = 100;
    private static final int DEFAULT_MAX_WAIT_MS = 1_000;
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
     * @param handshakeNanos how long a peer may take to prove who it is, nanoseconds, at least 1
     * @param maxStrangers channels of peers that have not proved who they are, at least 1
     * @param firstBackOffNanos the shortest pause between attempts to open a channel, nanoseconds, at least 1
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
        require(handshakeNanos > 0, "the limit of a handshake is " + handshakeNanos + " ns: it must be at least 1");
        require(maxStrangers > 0, "the limit of unproved channels is " + maxStrangers + ": it must be at least 1");
        require(
                firstBackOffNanos > 0 && longestBackOffNanos >= firstBackOffNanos,
                "the pauses between attempts to connect are " + firstBackOffNanos + " to " + longestBackOffNanos
                        + " ns: the first must be at least 1, the longest no shorter");
    }

    /**
     * Creates options that do not allow to listen without a secret where other hosts could connect, and limit a handshake as
     * silence is.
     *
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @param creditBytes bytes of frames that this side is willing to hold unreleased for each session
     * @param heartbeatNanos how often a side says what it has received, nanoseconds
     * @param silenceNanos a peer that was not heard of for so long is gone, nanoseconds
     * @param firstBackOffNanos the shortest pause between attempts to open a channel, nanoseconds
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
                silenceNanos,
                DEFAULT_STRANGERS,
                firstBackOffNanos,
                longestBackOffNanos,
                seed);
    }

    /**
     * Gives the defaults: 8 MiB of credit, a heartbeat each 500 ms, 3 s of silence or of a handshake, pauses from 100 ms to
     * 1 s.
     *
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @return options
     */
    public static MessengerOptions of(Peer self, Credentials credentials) {
        return of(Map.of(), self, credentials);
    }

    /**
     * Reads a configuration. All workers of a topology should have the same.
     *
     * @param conf the configuration; keys that are not there have defaults
     * @param self who this side is
     * @param credentials how both sides prove that they belong to the topology
     * @return options
     * @throws IllegalArgumentException when a value makes no sense; the message names the key, the value and what is
     *     allowed
     */
    public static MessengerOptions of(Map<String, Object> conf, Peer self, Credentials credentials) {
        ConfReader reader = new ConfReader(conf);
        int heartbeat = reader.integer(HEARTBEAT, DEFAULT_HEARTBEAT_MS, LEAST_HEARTBEAT_MS, LONGEST_HEARTBEAT_MS);
        int silence = Math.max(DEFAULT_SILENCE_MS, 2 * heartbeat);
        int shortest = reader.nearest(MIN_WAIT, DEFAULT_MIN_WAIT_MS, 0, 0, LONGEST_MS);
        int longest = Math.max(DEFAULT_MAX_WAIT_MS, shortest);
        return new MessengerOptions(
                self,
                credentials,
                false,
                reader.integer(CREDIT, DEFAULT_CREDIT, LEAST_CREDIT, MOST_CREDIT),
                heartbeat * MILLI,
                reader.nanosOfMillis(SILENCE, silence, 2 * heartbeat, LONGEST_MS),
                reader.nanosOfMillis(HANDSHAKE, DEFAULT_SILENCE_MS, LEAST_HANDSHAKE_MS, LONGEST_MS),
                TransportOptions.maxUnauthenticated(conf),
                Math.max(1, shortest) * MILLI,
                reader.nearest(MAX_WAIT, longest, 0, Math.max(1, shortest), LONGEST_MS) * MILLI,
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
                handshakeNanos,
                maxStrangers,
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
