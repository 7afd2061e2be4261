package io.updraft.transport;

import io.updraft.base.conf.ConfReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of a transport, read from a configuration.
 *
 * @param conf the whole configuration; Storm's {@code storm.messaging.*} keys keep their names and meanings, Updraft's keys
 *     begin with {@code updraft.transport.}
 * @param bufferBytes bytes that a channel may hold unsent before it refuses more ({@code storm.messaging.netty.buffer_size},
 *     default 5 MiB)
 * @param maxMessageBytes the maximum size of one message from a peer, bytes; a longer message closes the channel
 * @param connectTimeoutNanos how long opening a channel may take, nanoseconds
 * @param threads number of I/O threads, for transports that have their own threads
 */
public record TransportOptions(
        Map<String, Object> conf, int bufferBytes, int maxMessageBytes, long connectTimeoutNanos, int threads) {

    /** Storm's key for the bytes that a channel may hold unsent. */
    public static final String BUFFER_SIZE = "storm.messaging.netty.buffer_size";

    /** Maximum size of one message of a channel, bytes; default 1 MiB. */
    public static final String MAX_MESSAGE = "updraft.transport.max.message.bytes";

    /** How long opening a channel may take, milliseconds; default 5,000. */
    public static final String CONNECT_TIMEOUT = "updraft.transport.connect.timeout.ms";

    /** Storm's key for the number of I/O threads, for transports that have any; default 1; 0 means 1. */
    public static final String THREADS = "storm.messaging.netty.client_worker_threads";

    /** Storm's key for the number of reading threads. Has no effect: the same thread reads and writes. */
    public static final String SERVER_THREADS = "storm.messaging.netty.server_worker_threads";

    /**
     * Storm's key for the bytes after which a frame of messages is sent; default 256 KiB. Values below 4 KiB count as 4 KiB,
     * values above 1 MiB as 1 MiB.
     */
    public static final String BATCH_SIZE = "storm.messaging.netty.transfer.batch.size";

    /** The maximum number of channels whose peers have not authenticated yet; default 2,048. */
    public static final String MAX_UNAUTHENTICATED = "updraft.transport.max.unauthenticated";

    /** Whether to encrypt; default false. */
    public static final String TLS = "updraft.transport.tls.enabled";

    /** Storm's key for whether to encrypt, with Storm's keys for certificates; default false. */
    public static final String STORM_TLS = "storm.messaging.netty.tls.enable";

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    /**
     * Reads a configuration.
     *
     * @param conf the configuration; missing keys have defaults
     * @return the options
     * @throws IllegalArgumentException when a value is not valid; the message names the key, the value and the allowed values
     */
    public static TransportOptions of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        // One thread reads and writes. Storm's number of reading threads is only checked, because a wrong value may be
        // a mistake.
        reader.integer(SERVER_THREADS, 1, 0, Integer.MAX_VALUE);
        reader.flag(TLS, false);
        reader.flag(STORM_TLS, false);
        return new TransportOptions(
                withValues(conf),
                reader.nearest(BUFFER_SIZE, 5 * MIB, 1, KIB, Integer.MAX_VALUE),
                reader.integer(MAX_MESSAGE, MIB, KIB, Integer.MAX_VALUE),
                reader.nanosOfMillis(CONNECT_TIMEOUT, 5_000, 1, Integer.MAX_VALUE),
                Math.max(1, reader.nearest(THREADS, 1, 0, 0, 1024)));
    }

    /**
     * Reads the size at which a frame of messages is sent even if more messages wait.
     *
     * @param conf the configuration
     * @return the size in bytes; a frame exceeds it by at most one message
     * @throws IllegalArgumentException when the value is not valid
     */
    public static int frameBytes(Map<String, Object> conf) {
        return new ConfReader(conf).nearest(BATCH_SIZE, 256 * KIB, 1, 4 * KIB, MIB);
    }

    /**
     * Reads the maximum number of channels whose peers have not authenticated yet.
     *
     * @param conf the configuration
     * @return the maximum; when one more is opened, the oldest is closed
     * @throws IllegalArgumentException when the value is not valid
     */
    public static int maxUnauthenticated(Map<String, Object> conf) {
        return new ConfReader(conf).integer(MAX_UNAUTHENTICATED, 2_048, 1, 1_000_000);
    }

    /** {@return whether the configuration enables TLS, by Updraft's key or by Storm's} */
    public boolean wantsTls() {
        return tlsKey().isPresent();
    }

    /** Returns the key by which the configuration enables TLS. */
    Optional<String> tlsKey() {
        ConfReader reader = new ConfReader(conf);
        return Stream.of(TLS, STORM_TLS).filter(key -> reader.flag(key, false)).findFirst();
    }

    /** Removes keys without a value, which Storm's defaults contain; a transport treats them as missing. */
    private static Map<String, Object> withValues(Map<String, Object> conf) {
        Map<String, Object> withDefaults = new HashMap<>(conf);
        withDefaults.values().removeIf(Objects::isNull);
        return Map.copyOf(withDefaults);
    }
}
