package io.updraft.transport.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.updraft.transport.Address;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates Netty's bootstraps: the socket options of connections, and TLS at the start of their pipelines. */
record NettyBootstraps(NettySettings settings, EventLoopGroup loop) {

    /**
     * The bounds of the size of a read, which adapts to the recent reads. A read of half a megabyte takes two of the longest
     * frames that workers send in one system call.
     */
    private static final int LEAST_READ = 1024;

    private static final int FIRST_READ = 16 * 1024;
    private static final int MAX_READ = 512 * 1024;

    /** Creates a bootstrap for listening. {@code last} creates the last handler of each accepted connection. */
    ServerBootstrap server(Function<SocketChannel, ChannelHandler> last) {
        return new ServerBootstrap()
                .group(loop)
                .channel(settings.io().serverChannel)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, settings.backlog())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, NettyTransport.ALLOCATOR)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .childHandler(pipeline(last, tls -> tls.server(settings.connectTimeoutNanos())));
    }

    /** Creates a bootstrap for connecting. {@code last} creates the last handler of the connection. */
    Bootstrap client(Address named, Supplier<ChannelHandler> last) {
        return new Bootstrap()
                .group(loop)
                .channel(settings.io().channel)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.ALLOCATOR, NettyTransport.ALLOCATOR)
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .handler(pipeline(connection -> last.get(), tls -> tls.client(named, settings.connectTimeoutNanos())));
    }

    private ChannelInitializer<SocketChannel> pipeline(
            Function<SocketChannel, ChannelHandler> last, Function<Tls, ChannelHandler> first) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel connection) {
                // Creating TLS may fail. Until then the channel must not exist: nothing would report the end of the
                // connection.
                Optional<ChannelHandler> encryption = settings.tls().map(first);
                ChannelHandler events = last.apply(connection);
                encryption.ifPresent(connection.pipeline()::addLast);
                connection.pipeline().addLast(events);
            }
        };
    }

    private static AdaptiveRecvByteBufAllocator reads() {
        return new AdaptiveRecvByteBufAllocator(LEAST_READ, FIRST_READ, MAX_READ);
    }
}
