package io.updraft.transport.ucx;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerConnectionHandler;

/**
 * The port at which UCX itself listens. It is another port each time, and open only while a peer is expected that has sent its
 * {@link PortMessage}. Owner of the transport only.
 */
final class TemporaryListener {

    /**
     * Delay before the listener is closed. A listener that is closed while UCX still handles a new connection crashes the
     * process.
     */
    private static final long GRACE_NANOS = 100_000_000;

    private final Ucx ucx;
    private final InetAddress host;
    private final long timeoutNanos;
    private final UcpListenerConnectionHandler handler;
    private UcpListener listener;
    private int awaited;
    private long closeAt;

    TemporaryListener(Ucx ucx, InetAddress host, long timeoutNanos, UcpListenerConnectionHandler handler) {
        this.ucx = ucx;
        this.host = host;
        this.timeoutNanos = timeoutNanos;
        this.handler = handler;
    }

    int open() throws IOException {
        try {
            if (listener == null) {
                listener = ucx.listen(new InetSocketAddress(host, 0), this::entered);
            }
        } catch (UcxException refused) {
            throw new IOException(refused);
        }
        awaited++;
        closeAt = System.nanoTime() + timeoutNanos;
        return listener.getAddress().getPort();
    }

    /** Called from within a callback of UCX. */
    private void entered(UcpConnectionRequest request) {
        awaited--;
        if (awaited == 0) {
            closeAt = System.nanoTime() + GRACE_NANOS;
        }
        handler.onConnectionRequest(request);
    }

    /**
     * Closes the listener when all peers have connected, or the last one takes too long. Peers that have connected must have
     * been accepted.
     */
    void check(long now) {
        if (now - closeAt > 0) {
            close();
        }
    }

    boolean isOpen() {
        return listener != null;
    }

    void close() {
        if (listener != null) {
            listener.close();
            listener = null;
            awaited = 0;
        }
    }
}
