package io.updraft.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a configuration says about a transport.
 *
 * @param conf all of it; Storm's {@code storm.messaging.*} keys keep their names and meanings, ours begin with
 *     {@code updraft.transport.}
 * @param bufferBytes bytes that a channel may hold unsent before it refuses more ({@code storm.messaging.netty.buffer_size},
 *     default 5 MiB)
 * @param maxMessageBytes the most bytes of one message that a peer may send; a longer one closes its channel
 * @param connectTimeoutNanos how long opening a channel may take, nanoseconds
 * @param threads I/O threads where the transport has threads of its own at all
 */
public record TransportOptions(
        Map<String, Object> conf, int bufferBytes, int maxMessageBytes, long connectTimeoutNanos, int threads) {

    /** Bytes a channel may hold unsent, as Storm names it. */
    public static final String BUFFER_SIZE = "storm.messaging.netty.buffer_size";

    /** Longest message of a channel, bytes; default 1 MiB. */
    public static final String MAX_MESSAGE = "updraft.transport.max.message.bytes";

    /** How long opening a channel may take, milliseconds; default 5,000. */
    public static final String CONNECT_TIMEOUT = "updraft.transport.connect.timeout.ms";

    /** I/O threads of the transports that have any, as Storm names them; default 1, which 0 stands for, too. */
    public static final String THREADS = "storm.messaging.netty.client_worker_threads";

    /** What Storm calls the threads that read. Here the same thread reads and writes, so it changes nothing. */
    public static final String SERVER_THREADS = "storm.messaging.netty.server_worker_threads";

    /** Bytes after which a frame of messages is sent, as Storm names it; default 256 KiB. Less than 4 KiB counts as that, more than 1 MiB as that. */
    public static final String BATCH_SIZE = "storm.messaging.netty.transfer.batch.size";

    /** Channels of peers that have not proved who they are; default 2,048. */
    public static final String MAX_UNAUTHENTICATED = "updraft.transport.max.unauthenticated";

    /** Whether to encrypt; default false. */
    public static final String TLS = "updraft.transport.tls.enabled";

    /** Whether to encrypt, as Storm names it, with Storm's keys for certificates; default false. */
    public static final String STORM_TLS = "storm.messaging.netty.tls.enable";

    private static final int DEFAULT_BUFFER = 5 * 1024 * 1024;
    private static final int DEFAULT_MESSAGE = 1024 * 1024;
    private static final int DEFAULT_TIMEOUT_MS = 5_000;
    private static final int LEAST_MESSAGE = 1024;
    private static final int MOST_THREADS = 1024;
    private static final int DEFAULT_BATCH = 256 * 1024;
    private static final int LEAST_BATCH = 4 * 1024;
    private static final int MOST_BATCH = 1024 * 1024;
    private static final int DEFAULT_STRANGERS = 2_048;
    private static final int MOST_STRANGERS = 1_000_000;

    /**
     * Reads a configuration.
     *
     * @param conf the configuration; keys that are not there have defaults
     * @return the options
     * @throws IllegalArgumentException when a value makes no sense; the message names the key, the value and what is
     *     expected
     */
    public static TransportOptions of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        // One thread reads and writes: Storm's count of threads that read is checked, for it may be a slip, and no
        // more.
        reader.integer(SERVER_THREADS, 1, 0, Integer.MAX_VALUE);
        reader.flag(TLS, false);
        reader.flag(STORM_TLS, false);
        return new TransportOptions(
                withValues(conf),
                reader.nearest(BUFFER_SIZE, DEFAULT_BUFFER, 1, LEAST_MESSAGE, Integer.MAX_VALUE),
                reader.integer(MAX_MESSAGE, DEFAULT_MESSAGE, LEAST_MESSAGE, Integer.MAX_VALUE),
                reader.nanosOfMillis(CONNECT_TIMEOUT, DEFAULT_TIMEOUT_MS, 1, Integer.MAX_VALUE),
                Math.max(1, reader.nearest(THREADS, 1, 0, 0, MOST_THREADS)));
    }

    /**
     * Reads after how many bytes a frame of messages is sent though more wait.
     *
     * @param conf the configuration
     * @return bytes; a frame is longer by one message at the most
     * @throws IllegalArgumentException when the value makes no sense
     */
    public static int frameBytes(Map<String, Object> conf) {
        return new ConfReader(conf).nearest(BATCH_SIZE, DEFAULT_BATCH, 1, LEAST_BATCH, MOST_BATCH);
    }

    /**
     * Reads how many channels of peers that have not proved who they are there may be.
     *
     * @param conf the configuration
     * @return the most; for one more, the oldest is closed
     * @throws IllegalArgumentException when the value makes no sense
     */
    public static int maxUnauthenticated(Map<String, Object> conf) {
        return new ConfReader(conf).integer(MAX_UNAUTHENTICATED, DEFAULT_STRANGERS, 1, MOST_STRANGERS);
    }

    /** {@return whether the configuration, in our words or in Storm's, asks for TLS} */
    public boolean wantsTls() {
        return tlsKey().isPresent();
    }

    /** The key by which the configuration asks for TLS. */
    Optional<String> tlsKey() {
        ConfReader reader = new ConfReader(conf);
        return Stream.of(TLS, STORM_TLS).filter(key -> reader.flag(key, false)).findFirst();
    }

    /** Storm's defaults name keys that have no value: to a transport they are not there. */
    private static Map<String, Object> withValues(Map<String, Object> conf) {
        Map<String, Object> known = new HashMap<>(conf);
        known.values().removeIf(Objects::isNull);
        return Map.copyOf(known);
    }
}
