package io.updraft.pipeline.source.http;

import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a source. At the limit, a new connection replaces the one that has waited longest without an accepted
 * request. If all connections have had an accepted request, the new one is closed. So silent connections cannot lock clients
 * out: a client with the token keeps its connection, however many there are without. (The connection limits of other ports
 * do not know who has had a request accepted.) Belongs to the only event loop.
 */
final class HttpConnections {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final int max;

    /** Connections without an accepted request so far, the oldest first. */
    private final Set<Channel> unaccepted = new LinkedHashSet<>();

    private final Set<Channel> accepted = new HashSet<>();
    private long warnedNanos = System.nanoTime() - QUIET;

    HttpConnections(int max) {
        this.max = max;
    }

    /** Counts a new connection until it is closed; returns false if there is no capacity for it. */
    boolean open(Channel channel) {
        if (unaccepted.size() + accepted.size() >= max && !closeOldestUnaccepted()) {
            return false;
        }
        unaccepted.add(channel);
        channel.closeFuture().addListener(closed -> {
            unaccepted.remove(channel);
            accepted.remove(channel);
        });
        return true;
    }

    private boolean closeOldestUnaccepted() {
        warn("the limit 'connections' (" + max + ") is reached; each new connection replaces one without an accepted"
                + " request");
        Iterator<Channel> oldest = unaccepted.iterator();
        if (!oldest.hasNext()) {
            return false;
        }
        Channel closed = oldest.next();
        oldest.remove();
        // Closes from the first handler on, so that TLS does not wait for the peer.
        closed.pipeline().firstContext().close();
        return true;
    }

    void markAccepted(Channel channel) {
        if (unaccepted.remove(channel)) {
            accepted.add(channel);
        }
    }

    /** Logs a problem of the whole source, at most once a minute. */
    void warn(String line) {
        if (System.nanoTime() - warnedNanos >= QUIET) {
            warnedNanos = System.nanoTime();
            LOG.warn("http: {}", line);
        }
    }
}
