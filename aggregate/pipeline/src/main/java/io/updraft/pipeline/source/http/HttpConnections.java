package io.updraft.pipeline.source.http;

import io.netty.channel.Channel;
import io.updraft.base.net.ConnectionLimits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a source. At the limit, a new connection replaces the one that has waited longest without an accepted
 * request. If all connections have had an accepted request, the new one is closed. So silent connections cannot lock clients
 * out. Belongs to the only event loop.
 */
final class HttpConnections {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final int max;
    private final ConnectionLimits<Channel> limits;
    private long warnedNanos = System.nanoTime() - QUIET;

    HttpConnections(int max) {
        this.max = max;
        // Times are limited for each request, from the last answer to the end of its body.
        limits = new ConnectionLimits<>(
                new ConnectionLimits.Limits(max, max, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                this::replace,
                System::nanoTime);
    }

    /** Counts a new connection until it is closed; returns false if there is no capacity for it. */
    boolean open(Channel channel) {
        limits.opened(channel);
        channel.closeFuture().addListener(closed -> limits.closed(channel));
        return channel.isOpen();
    }

    private void replace(Channel channel) {
        warn("the limit 'connections' (" + max + ") is reached; each new connection replaces one without an accepted"
                + " request");
        // Closes from the first handler on, so that TLS does not wait for the peer.
        channel.pipeline().firstContext().close();
    }

    /** Marks a connection as never to be replaced: for the limits, its call does not end. */
    void markAccepted(Channel channel) {
        limits.calls(channel);
    }

    /** Logs a problem of the whole source, at most once a minute. */
    void warn(String line) {
        if (System.nanoTime() - warnedNanos >= QUIET) {
            warnedNanos = System.nanoTime();
            LOG.warn("http: {}", line);
        }
    }
}
