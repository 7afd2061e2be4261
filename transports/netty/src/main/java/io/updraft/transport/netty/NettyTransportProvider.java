package io.updraft.transport.netty;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;

/**
 * Creates transports of the name {@code netty}. It reads these keys, in addition to those of {@link TransportOptions}:
 *
 * <ul>
 *   <li>{@code updraft.transport.netty.io}: {@code auto} (default), {@code io_uring}, {@code epoll} or {@code nio}
 *   <li>{@code updraft.transport.compress}: {@code none} (default), {@code lz4} or {@code zstd}; received messages may use any of
 *       them
 *   <li>{@code updraft.transport.tls.enabled}: false by default
 *   <li>{@code updraft.transport.tls.cert}, {@code .key}, {@code .trust}: PEM files; a changed file applies to the next
 *       connection
 *   <li>{@code updraft.transport.tls.client.auth}: whether the connecting side must show a certificate too; true by default
 *   <li>{@code updraft.transport.tls.verify.host}: whether the certificate of the listening side must name the host to which
 *       the connection was made; true by default
 *   <li>{@code storm.messaging.netty.tls.*} instead, as in Storm, for key stores; {@code require.open.ssl} is refused
 *   <li>{@code storm.messaging.netty.socket.backlog} and {@code storm.messaging.netty.buffer.low.watermark}, as in Storm
 * </ul>
 */
public final class NettyTransportProvider implements TransportProvider {

    static final String NAME = "netty";

    /** For the service loader. */
    public NettyTransportProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isAbleToEncrypt() {
        return true;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        return new NettyTransport(NettySettings.of(options));
    }
}
