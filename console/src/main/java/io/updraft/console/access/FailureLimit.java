package io.updraft.console.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts wrong tokens and passwords by client. Logs them at most once a minute. Safe to use from any thread. */
final class FailureLimit {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLimit.class);

    /** The failures of one client in a minute, after which no more are looked at. */
    static final int MAX_FAILURES = 10;

    private static final int MAX_CLIENTS = 1_000;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;

    /** The clients that failed last; guarded by this. */
    private final Map<String, Failures> clients = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MAX_CLIENTS;
        }
    };

    /** The time of the next log line; guarded by this. */
    private long nextLog;

    private int notLogged;

    private record Failures(int count, long since) {}

    /** The clock is as {@link System#nanoTime()}. */
    FailureLimit(LongSupplier nanos) {
        this.nanos = nanos;
        nextLog = nanos.getAsLong();
    }

    /** Returns whether a client has failed too often within the last minute. */
    synchronized boolean isReached(String client) {
        return count(client) >= MAX_FAILURES;
    }

    /** Counts a failure. */
    synchronized void failed(String client, String attempt) {
        int before = count(client);
        long since = before == 0 ? nanos.getAsLong() : clients.get(client).since();
        clients.put(client, new Failures(before + 1, since));
        notLogged++;
        if (nanos.getAsLong() - nextLog >= 0) {
            LOG.warn("the console was given a wrong {} by {}; {} since the last such line", attempt, client, notLogged);
            nextLog = nanos.getAsLong() + MINUTE;
            notLogged = 0;
        }
    }

    private int count(String client) {
        Failures failures = clients.get(client);
        return failures == null || nanos.getAsLong() - failures.since() >= MINUTE ? 0 : failures.count();
    }
}
