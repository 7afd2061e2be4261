package io.updraft.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

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

    /** I/O threads, as Storm names them; default 1. */
    public static final String THREADS = "storm.messaging.netty.client_worker_threads";

    private static final int DEFAULT_BUFFER = 5 * 1024 * 1024;
    private static final int DEFAULT_MESSAGE = 1024 * 1024;
    private static final int DEFAULT_TIMEOUT_MS = 5_000;
    private static final int LEAST_MESSAGE = 1024;

    /**
     * Reads a configuration.
     *
     * @param conf the configuration; keys that are not there have defaults
     * @return the options
     * @throws IllegalArgumentException when a value makes no sense; the message names the key, the value and what is
     *     expected
     */
    public static TransportOptions of(Map<String, Object> conf) {
        return new TransportOptions(
                withValues(conf),
                integer(conf, BUFFER_SIZE, DEFAULT_BUFFER, LEAST_MESSAGE),
                integer(conf, MAX_MESSAGE, DEFAULT_MESSAGE, LEAST_MESSAGE),
                integer(conf, CONNECT_TIMEOUT, DEFAULT_TIMEOUT_MS, 1) * 1_000_000L,
                integer(conf, THREADS, 1, 1));
    }

    /** Storm's defaults name keys that have no value: to a transport they are not there. */
    private static Map<String, Object> withValues(Map<String, Object> conf) {
        Map<String, Object> known = new HashMap<>(conf);
        known.values().removeIf(Objects::isNull);
        return Map.copyOf(known);
    }

    private static int integer(Map<String, Object> conf, String key, int otherwise, int least) {
        Object value = conf.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!(value instanceof Number number) || number.longValue() != number.doubleValue()) {
            throw new IllegalArgumentException(key + " is '" + value + "': it must be a whole number");
        }
        if (number.longValue() < least || number.longValue() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(key + " is " + value + ": it must be at least " + least);
        }
        return number.intValue();
    }
}
