package io.updraft.pipeline.source;

import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a source. When there are as many as there may be, a new one takes the place of the one that has waited
 * longest without a request that was let in; if all have brought one, the new one is closed. So silent connections cannot keep
 * clients out. Belongs to the event loop, of which there is one.
 */
final class HttpConnections {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final int most;

    /** Those that have not brought a request that was let in, the oldest first. */
    private final Set<Channel> strangers = new LinkedHashSet<>();

    private final Set<Channel> known = new HashSet<>();
    private long told = System.nanoTime() - QUIET;

    HttpConnections(int most) {
        this.most = most;
    }

    /** Counts a new connection until it is closed; says whether there is room for it. */
    boolean open(Channel channel) {
        if (strangers.size() + known.size() >= most && !closeOldestStranger()) {
            return false;
        }
        strangers.add(channel);
        channel.closeFuture().addListener(closed -> {
            strangers.remove(channel);
            known.remove(channel);
        });
        return true;
    }

    private boolean closeOldestStranger() {
        warn("'connections' allows " + most + ", and as many are open; each new one takes the place of one that has"
                + " brought no request");
        Iterator<Channel> oldest = strangers.iterator();
        if (!oldest.hasNext()) {
            return false;
        }
        Channel closed = oldest.next();
        oldest.remove();
        // From the first handler on, so that TLS does not wait for the other side.
        closed.pipeline().firstContext().close();
        return true;
    }

    /** A connection has brought a request that was let in. */
    void letIn(Channel channel) {
        if (strangers.remove(channel)) {
            known.add(channel);
        }
    }

    /** Logs what a whole source suffers from, at most once a minute. */
    void warn(String line) {
        if (System.nanoTime() - told >= QUIET) {
            told = System.nanoTime();
            LOG.warn("http: {}", line);
        }
    }
}
