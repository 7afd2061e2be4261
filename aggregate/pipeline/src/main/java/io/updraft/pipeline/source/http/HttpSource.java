package io.updraft.pipeline.source.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.http.HttpListener;
import io.updraft.http.PortCertificate;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepts measurements by HTTP: one partition, {@code http}, whose positions are bytes since the start. A request is answered with
 * 202 when the pipeline has taken it. Its records are only in memory until their window is written, so a crash loses them; a
 * client that cannot lose them writes to Kafka instead. If the pipeline writes chunks one by one, a request is answered with
 * 200 when its chunk {@link #written was written}, with 422 if a record of it can never be, and with 503 if it was not written
 * in time.
 */
public final class HttpSource implements RecordSource {

    private static final String PARTITION = "http";
    private static final int CHUNK = 256 * 1024;
    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 16 * 1024;

    private final HttpInbox inbox;
    private final HttpConnections connections;
    private final PortCertificate tls;
    private final HttpListener listener;
    private final long idleNanos;
    private final Duration writeLimit;
    private long position;
    private long lastNanos = System.nanoTime();
    private boolean opened;
    private boolean idle;

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
        try {
            tls = spec.tls() == null ? null : certificate(spec.tls());
            listener = HttpListener.open(
                    "updraft-http",
                    new InetSocketAddress(address, spec.port()),
                    connection -> accept(connection, spec));
        } catch (IOException e) {
            throw new SourceException("http: " + e.getMessage(), e);
        }
    }

    private static PortCertificate certificate(SourceSpec.Http.Certificate files) throws IOException {
        try {
            return PortCertificate.read(files.chain(), files.key());
        } catch (IOException e) {
            throw new IOException(
                    "the certificate in " + files.chain() + " with the key in " + files.key()
                            + " cannot be used (both are PEM, the key PKCS #8 without a password): " + e.getMessage(),
                    e);
        }
    }

    private static InetAddress address(String host) throws SourceException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new SourceException("http: unknown host " + host, e);
        }
    }

    private void accept(Channel channel, SourceSpec.Http spec) {
        if (!connections.open(channel)) {
            return;
        }
        if (tls != null) {
            tls.addTo(channel);
        }
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(MAX_LINE)
                        .setMaxHeaderSize(MAX_HEADERS)))
                .addLast(new FlowControlHandler())
                .addLast(new HttpRequestHandler(inbox, connections, spec, writeLimit));
    }

    /** Returns the port on which the source listens. */
    public int port() {
        return listener.address().getPort();
    }

    @Override
    public List<SourceEvent> poll() {
        List<SourceEvent> events = new ArrayList<>(1);
        if (!opened) {
            opened = true;
            events.add(new Event.Opened(PARTITION));
        }
        byte[] lines = inbox.take(CHUNK, position);
        if (lines.length > 0) {
            events.add(new Chunk(PARTITION, position, lines, lines.length));
            position += lines.length;
            lastNanos = System.nanoTime();
            idle = false;
        } else if (!idle && idleNanos > 0 && System.nanoTime() - lastNanos > idleNanos) {
            idle = true;
            events.add(new Event.Idle(PARTITION));
        }
        return events;
    }

    @Override
    public void written(String partition, long from) {
        inbox.written(from);
    }

    @Override
    public void refused(String partition, long from, long refusedAt, String reason) {
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
        listener.stop();
        inbox.close();
        listener.close();
    }
}
