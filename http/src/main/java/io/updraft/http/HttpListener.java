package io.updraft.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.base.net.PortRefusal;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Listens on a port. One daemon thread serves all its connections. */
public final class HttpListener implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 2;

    private final EventLoopGroup loops;
    private Channel server;

    private HttpListener(String thread) {
        loops = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(thread, true), NioIoHandler.newFactory());
    }

    /**
     * Opens the port.
     *
     * @param thread the beginning of the name of the thread
     * @param address the address; with port 0, the system chooses a free port
     * @param accepted adds the handlers of an accepted connection, or closes it; called by the thread
     * @return the open port
     * @throws IOException when the port cannot be opened; the message is one line for users
     */
    public static HttpListener open(String thread, InetSocketAddress address, Consumer<Channel> accepted)
            throws IOException {
        HttpListener listener = new HttpListener(thread);
        try {
            listener.bind(address, accepted);
            return listener;
        } catch (BindException e) {
            listener.close();
            throw PortRefusal.of(address, e);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    private void bind(InetSocketAddress address, Consumer<Channel> accepted) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted.accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        server = bound.channel();
        if (bound.cause() instanceof IOException e) {
            throw e;
        } else if (!bound.isSuccess()) {
            throw new IOException(bound.cause());
        }
    }

    /** {@return the address on which the port listens} */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Calls a task again and again on the thread of the connections. */
    void repeat(Runnable task, long millis) {
        loops.next().scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Accepts no more connections; the others stay open. Idempotent. */
    public void stop() {
        server.close().awaitUninterruptibly();
    }

    /** Closes the port, and its connections after all answers that were given before. Idempotent. */
    @Override
    public void close() {
        stop();
        if (!loops.isShuttingDown()) {
            // There is one loop: once it has run this task, it has written all answers.
            loops.next().submit(() -> {}).awaitUninterruptibly();
            loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
