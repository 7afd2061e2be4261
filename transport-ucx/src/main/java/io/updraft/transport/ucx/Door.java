package io.updraft.transport.ucx;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerConnectionHandler;

/**
 * The port at which UCX itself listens, another each time, and only while somebody who has introduced himself is awaited. Owner
 * of the transport only.
 */
final class Door {

    /** A listener that goes while UCX is still busy with who has just come takes the process with it. */
    private static final long GRACE_NANOS = 100_000_000;

    private final Ucx ucx;
    private final InetAddress host;
    private final long timeoutNanos;
    private final UcpListenerConnectionHandler handler;
    private Runnable closing;
    private UcpListener listener;
    private int awaited;
    private long closeAt;

    Door(Ucx ucx, InetAddress host, long timeoutNanos, UcpListenerConnectionHandler handler) {
        this.ucx = ucx;
        this.host = host;
        this.timeoutNanos = timeoutNanos;
        this.handler = handler;
    }

    void closesWith(Runnable how) {
        closing = how;
    }

    /** Awaits one more; returns where. */
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

    /** From within a callback of UCX. */
    private void entered(UcpConnectionRequest request) {
        awaited--;
        if (awaited == 0) {
            closeAt = System.nanoTime() + GRACE_NANOS;
        }
        handler.onConnectionRequest(request);
    }

    /** Shuts it when all have come, or the last one takes too long. Whoever has come must have been accepted. */
    void check(long now) {
        if (listener != null && now - closeAt > 0) {
            shut();
        }
    }

    boolean isOpen() {
        return listener != null;
    }

    private void shut() {
        listener.close();
        listener = null;
        awaited = 0;
    }

    void close() {
        if (listener != null) {
            shut();
        }
        closing.run();
    }
}
