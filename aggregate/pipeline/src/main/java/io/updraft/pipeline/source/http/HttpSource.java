package io.updraft.pipeline.source.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.record.RecordChunk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts measurements by HTTP: one unit, {@code http}, whose positions are bytes since the start. A request is answered with
 * 202 when the pipeline has taken it. Its records are only in memory until their window is written, so a crash loses them; a
 * client that cannot lose them writes to Kafka instead. If the pipeline writes chunks one by one, a request is answered with
 * 200 when its chunk {@link #written was written}, with 422 if a record of it can never be, and with 503 if it was not written
 * in time.
 */
public final class HttpSource implements RecordSource {

    private static final String UNIT = "http";
    private static final int CHUNK = 256 * 1024;
    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int BACKLOG = 1024;

    private final HttpInbox inbox;
    private final HttpConnections connections;
    private final HttpTls tls;
    private final MultiThreadIoEventLoopGroup loops;
    private final Channel server;
    private final long idleNanos;
    private final Duration writeLimit;
    private long position;
    private long lastNanos = System.nanoTime();
    private boolean opened;
    private boolean idle;
    private boolean closed;

    /**
     * Starts to listen.
     *
     * @param spec the address, the token and the limits
     * @param idle how long the source may be without a measurement before an idle event; zero for never
     * @param writeLimit how long a request may wait until it is {@link #written} and then answered; null to answer when it is
     *     taken
     * @throws SourceException when it cannot listen there, its certificate cannot be used, or others could reach it without a
     *     token
     */
    public HttpSource(SourceSpec.Http spec, Duration idle, Duration writeLimit) throws SourceException {
        this.writeLimit = writeLimit;
        InetAddress address = address(spec.host());
        if (spec.token() == null && !address.isLoopbackAddress()) {
            throw new SourceException(
                    "http: other machines can reach " + spec.host() + ": give a token, or listen at 127.0.0.1");
        }
        idleNanos = idle.toNanos();
        inbox = new HttpInbox(spec.queue(), writeLimit != null);
        connections = new HttpConnections(spec.connections());
        tls = spec.tls() == null ? null : new HttpTls(spec.tls());
        loops = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("updraft-http", true), NioIoHandler.newFactory());
        try {
            server = bootstrap(spec).bind(address, spec.port()).sync().channel();
        } catch (InterruptedException e) {
            loops.shutdownGracefully();
            Thread.currentThread().interrupt();
            throw new SourceException("http: interrupted", e);
        } catch (Exception e) {
            // Netty throws checked exceptions that it does not declare.
            loops.shutdownGracefully();
            throw new SourceException(
                    "http: cannot listen at " + spec.host() + ":" + spec.port() + ": " + e.getMessage(), e);
        }
    }

    private static InetAddress address(String host) throws SourceException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new SourceException("http: unknown host " + host, e);
        }
    }

    private ServerBootstrap bootstrap(SourceSpec.Http spec) {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (!connections.open(channel)) {
                            channel.close();
                            return;
                        }
                        if (tls != null) {
                            channel.pipeline().addLast(tls.handler(channel.alloc()));
                        }
                        channel.pipeline()
                                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                                        .setMaxInitialLineLength(MAX_LINE)
                                        .setMaxHeaderSize(MAX_HEADERS)))
                                .addLast(new FlowControlHandler())
                                .addLast(new HttpRequestHandler(inbox, connections, spec, writeLimit));
                    }
                });
    }

    /** Returns the port on which the source listens. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public List<Event> poll() {
        List<Event> events = new ArrayList<>(1);
        if (!opened) {
            opened = true;
            events.add(new Event.Opened(UNIT));
        }
        byte[] lines = inbox.take(CHUNK, position);
        if (lines.length > 0) {
            events.add(new Event.Records(new RecordChunk(UNIT, position, lines, lines.length)));
            position += lines.length;
            lastNanos = System.nanoTime();
            idle = false;
        } else if (!idle && idleNanos > 0 && System.nanoTime() - lastNanos > idleNanos) {
            idle = true;
            events.add(new Event.Idle(UNIT));
        }
        return events;
    }

    @Override
    public void written(String unit, long from) {
        inbox.written(from);
    }

    @Override
    public void refused(String unit, long from, long refusedAt, String reason) {
        inbox.refused(from, (int) (refusedAt - from), reason);
    }

    @Override
    public boolean canBeReadAgain() {
        return false;
    }

    @Override
    public SourceProgress progress() {
        return new SourceProgress(position, -1, inbox.bytes(), "bytes");
    }

    /** Stops listening. Requests that the pipeline has not taken are answered with 503. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        server.close().awaitUninterruptibly();
        inbox.close();
        // There is one loop: once it has run this task, it has answered all waiting requests.
        loops.next().submit(() -> {}).awaitUninterruptibly();
        loops.shutdownGracefully(50, 1000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    /**
     * TLS of an HTTP source. The certificate files are read again when they have changed, so new connections use a renewed
     * certificate. If the new files cannot be used, the previous certificate stays. After construction, belongs to the event loop.
     */
    private static final class HttpTls {

        private static final Logger LOG = LoggerFactory.getLogger(HttpTls.class);
        private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

        private final SourceSpec.Http.Certificate files;
        private SslContext context;
        private List<FileTime> times;
        private long looked = System.nanoTime();
        private boolean warned;

        HttpTls(SourceSpec.Http.Certificate files) throws SourceException {
            this.files = files;
            try {
                times = times();
                context = load();
            } catch (IOException | IllegalArgumentException e) {
                throw new SourceException(cannotUse(e), e);
            }
        }

        private String cannotUse(Exception e) {
            return "http: the certificate in " + files.chain() + " with the key in " + files.key()
                    + " cannot be used (both are PEM, the key PKCS #8 without a password): " + e;
        }

        private SslContext load() throws IOException {
            return SslContextBuilder.forServer(
                            files.chain().toFile(), files.key().toFile())
                    .sslProvider(SslProvider.JDK)
                    .build();
        }

        private List<FileTime> times() throws IOException {
            return List.of(time(files.chain()), time(files.key()));
        }

        private static FileTime time(Path file) throws IOException {
            return Files.getLastModifiedTime(file);
        }

        SslHandler handler(ByteBufAllocator allocator) {
            if (System.nanoTime() - looked >= LOOK_EVERY) {
                looked = System.nanoTime();
                renew();
            }
            return context.newHandler(allocator);
        }

        private void renew() {
            try {
                List<FileTime> now = times();
                if (!now.equals(times)) {
                    times = now;
                    context = load();
                    warned = false;
                    LOG.info("http: the certificate in {} was renewed", files.chain());
                }
            } catch (IOException | IllegalArgumentException e) {
                if (!warned) {
                    LOG.warn("{}; the previous certificate stays in use", cannotUse(e));
                }
                warned = true;
            }
        }
    }
}
