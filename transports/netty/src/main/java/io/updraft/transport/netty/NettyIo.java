package io.updraft.transport.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.updraft.transport.TransportException;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel interfaces for network input and output. */
enum NettyIo {
    EPOLL(
            "epoll",
            Epoll::unavailabilityCause,
            EpollIoHandler::newFactory,
            EpollSocketChannel.class,
            EpollServerSocketChannel.class),
    IO_URING(
            "io_uring",
            IoUring::unavailabilityCause,
            IoUringIoHandler::newFactory,
            IoUringSocketChannel.class,
            IoUringServerSocketChannel.class),
    NIO("NIO", () -> null, NioIoHandler::newFactory, NioSocketChannel.class, NioServerSocketChannel.class);

    private static final Logger LOG = LoggerFactory.getLogger(NettyIo.class);

    final String title;
    private final Supplier<Throwable> unavailability;
    final Supplier<IoHandlerFactory> factory;
    final Class<? extends SocketChannel> channel;
    final Class<? extends ServerSocketChannel> serverChannel;

    NettyIo(
            String title,
            Supplier<Throwable> unavailability,
            Supplier<IoHandlerFactory> factory,
            Class<? extends SocketChannel> channel,
            Class<? extends ServerSocketChannel> serverChannel) {
        this.title = title;
        this.unavailability = unavailability;
        this.factory = factory;
        this.channel = channel;
        this.serverChannel = serverChannel;
    }

    /** {@return why this machine does not have the interface; null if it has} */
    Throwable whyNot() {
        return unavailability.get();
    }

    /** Returns the configured interface, or, with {@code auto}, the first one that works on this machine. */
    static NettyIo choose(String setting) throws TransportException {
        if (setting.equals("auto")) {
            return firstAvailable();
        }
        NettyIo io = valueOf(setting.toUpperCase(Locale.ROOT));
        if (io.whyNot() != null) {
            throw new TransportException(
                    NettySettings.IO + " is '" + setting + "', which is not available on this machine ("
                            + FailureReasons.root(io.whyNot()) + "): set it to 'auto'",
                    io.whyNot());
        }
        return io;
    }

    private static NettyIo firstAvailable() {
        for (NettyIo io : values()) {
            if (io.whyNot() == null) {
                return io;
            }
            LOG.debug("{} is not available: {}", io.title, FailureReasons.root(io.whyNot()));
        }
        throw new AssertionError("NIO is always available");
    }
}
