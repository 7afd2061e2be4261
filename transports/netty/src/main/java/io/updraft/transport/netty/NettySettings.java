package io.updraft.transport.netty;

import io.updraft.base.conf.ConfReader;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of this transport, read from a configuration and checked.
 *
 * @param bufferBytes number of unsent bytes at which a channel refuses more
 * @param resumeBytes number of unsent bytes at which a channel that has refused becomes writable again
 * @param maxMessage the most bytes of a message
 * @param connectTimeoutNanos how long opening may take, including name lookup and TLS, nanoseconds
 * @param backlog number of connections that may wait to be accepted
 * @param maxUnauthenticated number of accepted connections whose TLS handshake is not complete; for one more, the oldest is closed
 * @param io the kernel interface
 * @param compression the compression of sent messages
 * @param tls the TLS settings, empty for plain TCP
 */
record NettySettings(
        int bufferBytes,
        int resumeBytes,
        int maxMessage,
        long connectTimeoutNanos,
        int backlog,
        int maxUnauthenticated,
        NettyIo io,
        MessageCompression compression,
        Optional<Tls> tls) {

    static final String IO = "updraft.transport.netty.io";
    static final String COMPRESS = "updraft.transport.compress";
    private static final String BACKLOG = "storm.messaging.netty.socket.backlog";
    private static final String LOW_WATERMARK = "storm.messaging.netty.buffer.low.watermark";
    private static final int DEFAULT_BACKLOG = 500;

    static NettySettings of(TransportOptions options) throws TransportException {
        ConfReader reader = new ConfReader(options.conf());
        int half = options.bufferBytes() / 2;
        try {
            return new NettySettings(
                    options.bufferBytes(),
                    Math.min(half, reader.integer(LOW_WATERMARK, half, 0, Integer.MAX_VALUE)),
                    Math.min(options.maxMessageBytes(), NettyFrames.MAX_BODY - MessageCompression.HEADER),
                    options.connectTimeoutNanos(),
                    reader.integer(BACKLOG, DEFAULT_BACKLOG, 0, Integer.MAX_VALUE),
                    TransportOptions.maxUnauthenticated(options.conf()),
                    NettyIo.choose(reader.choice(IO, "auto", List.of("auto", "io_uring", "epoll", "nio"))),
                    MessageCompression.valueOf(reader.choice(COMPRESS, "none", List.of("none", "lz4", "zstd"))
                            .toUpperCase(Locale.ROOT)),
                    Tls.of(options.conf()));
        } catch (IllegalArgumentException wrong) {
            throw new TransportException(wrong.getMessage(), wrong);
        }
    }
}
