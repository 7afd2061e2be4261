package io.updraft.transport.netty;

import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a configuration says about this transport, checked.
 *
 * @param bufferBytes bytes unsent at which a channel refuses more
 * @param resumeBytes bytes unsent at which a channel that has refused has room again
 * @param maxMessage the most bytes of a message
 * @param connectTimeoutNanos how long opening may take, name lookup and TLS included, nanoseconds
 * @param backlog connections that may wait to be accepted
 * @param io how to talk to the kernel
 * @param compression what to do to messages that are sent
 * @param tls certificates, empty for plain TCP
 */
record NettySettings(
        int bufferBytes,
        int resumeBytes,
        int maxMessage,
        long connectTimeoutNanos,
        int backlog,
        Io io,
        Compression compression,
        Optional<Tls> tls) {

    static final String IO = "updraft.transport.netty.io";
    static final String COMPRESS = "updraft.transport.compress";
    private static final String BACKLOG = "storm.messaging.netty.socket.backlog";
    private static final String LOW_WATERMARK = "storm.messaging.netty.buffer.low.watermark";
    private static final int DEFAULT_BACKLOG = 500;

    static NettySettings of(TransportOptions options) throws TransportException {
        Map<String, Object> conf = options.conf();
        int half = options.bufferBytes() / 2;
        return new NettySettings(
                options.bufferBytes(),
                Math.min(half, number(conf, LOW_WATERMARK, half)),
                Math.min(options.maxMessageBytes(), Frames.MAX_BODY - Compression.HEADER),
                options.connectTimeoutNanos(),
                number(conf, BACKLOG, DEFAULT_BACKLOG),
                Io.choose(choice(conf, IO, "auto", List.of("auto", "io_uring", "epoll", "nio"))),
                Compression.valueOf(choice(conf, COMPRESS, "none", List.of("none", "lz4", "zstd"))
                        .toUpperCase(Locale.ROOT)),
                Tls.of(conf));
    }

    static String choice(Map<String, Object> conf, String key, String otherwise, List<String> choices)
            throws TransportException {
        String value = String.valueOf(conf.getOrDefault(key, otherwise));
        if (!choices.contains(value)) {
            throw new TransportException(key + " is '" + value + "': it must be one of " + choices);
        }
        return value;
    }

    static boolean flag(Map<String, Object> conf, String key, boolean otherwise) throws TransportException {
        return Boolean.parseBoolean(choice(conf, key, String.valueOf(otherwise), List.of("true", "false")));
    }

    private static int number(Map<String, Object> conf, String key, int otherwise) throws TransportException {
        Object value = conf.getOrDefault(key, otherwise);
        if (value instanceof Number number && number.longValue() >= 0 && number.longValue() <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        throw new TransportException(key + " is '" + value + "': it must be a whole number, at least 0");
    }
}
