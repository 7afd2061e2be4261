package io.updraft.transport.session;

import io.updraft.base.conf.ConfReader;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The options of sessions.
 *
 * @param self the identity of this side
 * @param credentials the credentials by which both sides prove that they belong to the topology
 * @param allowUnauthenticated whether to listen without a secret where other hosts could connect; every peer that connects can
 *     then send the topology any tuple
 * @param creditBytes bytes of frames that this side holds unreleased for each session at most
 * @param heartbeatNanos the interval of heartbeats, which also acknowledge received frames, nanoseconds
 * @param silenceNanos how long a peer may send nothing before it counts as lost, nanoseconds
 * @param handshakeNanos how long a peer may take to authenticate, nanoseconds
 * @param maxUnauthenticated the maximum number of channels whose peers have not authenticated yet; when one more is opened, the
 *     oldest is closed
 * @param firstBackOffNanos the shortest pause before another attempt to open a channel, nanoseconds; the upper limit of pauses
 *     doubles with each attempt ({@code storm.messaging.netty.min_wait_ms})
 * @param longestBackOffNanos the longest pause, nanoseconds ({@code storm.messaging.netty.max_wait_ms})
 * @param seed the seed of the jitter of pauses
 */
public record MessengerOptions(
        PeerIdentity self,
        Credentials credentials,
        boolean allowUnauthenticated,
        int creditBytes,
        long heartbeatNanos,
        long silenceNanos,
        long handshakeNanos,
        int maxUnauthenticated,
        long firstBackOffNanos,
        long longestBackOffNanos,
        long seed) {

    /** Bytes of frames that a worker holds unreleased for each other worker at most; default 8 MiB. */
    public static final String CREDIT = "updraft.transport.credit.bytes";

    /** Interval of heartbeats, milliseconds; default 500. */
    public static final String HEARTBEAT = "updraft.transport.heartbeat.ms";

    /** Time without a message after which a peer counts as dead, milliseconds; default 3,000. */
    public static final String SILENCE = "updraft.transport.silence.ms";

    /** How long a peer may take to authenticate, milliseconds; default 3,000. */
    public static final String HANDSHAKE = "updraft.transport.handshake.timeout.ms";

    /** Storm's key for the shortest pause between attempts to connect, milliseconds; default 100. */
    public static final String MIN_WAIT = "storm.messaging.netty.min_wait_ms";

    /** Storm's key for the longest pause between attempts to connect, milliseconds; default 1,000. */
    public static final String MAX_WAIT = "storm.messaging.netty.max_wait_ms";

    /** The maximum size of a topology's id in bytes. A hello then fits into the smallest maximum message size of a channel. */
    public static final int MAX_TOPOLOGY_ID_BYTES = 512;

    private static final int LONGEST_MS = 600_000;

    /**
     * A worker that pauses for a garbage collection, or that a busy host does not run for seconds, is not lost. The loss of a
     * peer fails all tuples in flight. With 3 s, six workers on a host with a load of 50 lost each other. The end of a
     * peer's process is noticed at once by its connection; only a peer that hangs or a host that is lost takes this long.
     */
    private static final int DEFAULT_SILENCE_MS = 10_000;

    private static final long MILLI = 1_000_000;

    /**
     * Reads a configuration. All workers of a topology should have the same configuration.
     *
     * @param conf the configuration; missing keys have defaults
     * @param self the identity of this side
     * @param credentials the credentials by which both sides prove that they belong to the topology
     * @return the options
     * @throws IllegalArgumentException when a value is not valid; the message names the key, the value and the allowed values
     */
    public static MessengerOptions of(Map<String, Object> conf, PeerIdentity self, Credentials credentials) {
        if (self.topologyId().getBytes(StandardCharsets.UTF_8).length > MAX_TOPOLOGY_ID_BYTES) {
            throw new IllegalArgumentException(
                    "the topology's id is longer than " + MAX_TOPOLOGY_ID_BYTES + " bytes: " + self.topologyId());
        }
        ConfReader reader = new ConfReader(conf);
        int heartbeat = reader.integer(HEARTBEAT, 500, 10, 60_000);
        int silence = Math.max(DEFAULT_SILENCE_MS, 2 * heartbeat);
        int shortest = reader.nearest(MIN_WAIT, 100, 0, 0, LONGEST_MS);
        int longest = Math.max(1_000, shortest);
        return new MessengerOptions(
                self,
                credentials,
                false,
                reader.integer(CREDIT, 8 * 1024 * 1024, 64 * 1024, 1024 * 1024 * 1024),
                heartbeat * MILLI,
                reader.nanosOfMillis(SILENCE, silence, 2 * heartbeat, LONGEST_MS),
                reader.nanosOfMillis(HANDSHAKE, 3_000, 100, LONGEST_MS),
                TransportOptions.maxUnauthenticated(conf),
                Math.max(1, shortest) * MILLI,
                reader.nearest(MAX_WAIT, longest, 0, Math.max(1, shortest), LONGEST_MS) * MILLI,
                System.nanoTime());
    }

    /**
     * Returns these options with another setting for listening without a secret where other hosts could connect.
     *
     * @param allowed whether such listening is allowed
     * @return the options
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
                maxUnauthenticated,
                firstBackOffNanos,
                longestBackOffNanos,
                seed);
    }
}
