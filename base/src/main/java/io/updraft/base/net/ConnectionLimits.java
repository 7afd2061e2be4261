package io.updraft.base.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The open connections of one port, by state. Silent or slow peers must not keep others out: beyond the limits, the connection
 * that has been silent or slow for the longest is closed. A connection whose request is being processed is never closed.
 *
 * <p>Safe to use from any thread. Connections are closed by the caller's thread, outside the lock.
 *
 * @param <C> the type of a connection; equality must be identity
 */
public final class ConnectionLimits<C> {

    private enum State {
        /** Has not sent a byte yet. */
        SILENT,
        /** Is sending a request or receiving the answer. */
        TRANSFER,
        /** Has sent a request that the server is processing. */
        CALL,
        /** Has received an answer, and has not begun another request. */
        IDLE
    }

    /**
     * The limits of one port.
     *
     * @param connections the maximum number of open connections
     * @param transfers the maximum number of requests and answers in transfer, without those that began within {@code grace}
     * @param silence how long a connection may send nothing before its first request
     * @param transfer how long a request or answer may take
     * @param idle how long a connection may send nothing after an answer
     * @param grace how long a transfer is exempt from {@code transfers}
     */
    public record Limits(
            int connections, int transfers, Duration silence, Duration transfer, Duration idle, Duration grace) {}

    private final Limits limits;
    private final Consumer<C> close;
    private final LongSupplier nanos;

    /** Connections by state, in the order in which they entered the state, with the time of {@code nanos} at that moment. */
    private final Map<State, LinkedHashMap<C, Long>> open = new EnumMap<>(State.class);

    /**
     * Creates the limits of a port.
     *
     * @param limits the limits
     * @param close closes a connection; must not wait, and may be called several times for one connection
     * @param nanos the clock, as {@link System#nanoTime()}
     */
    public ConnectionLimits(Limits limits, Consumer<C> close, LongSupplier nanos) {
        this.limits = limits;
        this.close = close;
        this.nanos = nanos;
        for (State state : State.values()) {
            open.put(state, new LinkedHashMap<>());
        }
    }

    /**
     * Adds an accepted connection and closes another one if there are too many. Closes the new connection if all others wait for
     * the server.
     *
     * @param connection the connection
     */
    public void opened(C connection) {
        C evicted = null;
        synchronized (this) {
            if (size() >= limits.connections()) {
                evicted = evict();
            }
            if (size() < limits.connections()) {
                open.get(State.SILENT).put(connection, nanos.getAsLong());
            } else {
                evicted = connection;
            }
        }
        closeIfAny(evicted);
    }

    /**
     * Marks the beginning of the connection's request or answer.
     *
     * @param connection the connection
     */
    public void transfers(C connection) {
        C evicted = null;
        synchronized (this) {
            move(connection, State.TRANSFER);
            if (open.get(State.TRANSFER).size() > limits.transfers()) {
                evicted = slowest();
            }
        }
        closeIfAny(evicted);
    }

    /**
     * Marks the end of a request, which the server processes from now on.
     *
     * @param connection the connection
     */
    public synchronized void calls(C connection) {
        move(connection, State.CALL);
    }

    /**
     * Marks the end of an answer.
     *
     * @param connection the connection
     */
    public synchronized void idles(C connection) {
        move(connection, State.IDLE);
    }

    /**
     * Removes a connection that is closed.
     *
     * @param connection the connection
     */
    public synchronized void closed(C connection) {
        open.values().forEach(each -> each.remove(connection));
    }

    /** Closes the connections that have exceeded a time limit; to be called periodically. */
    public void expire() {
        List<C> expired = new ArrayList<>();
        synchronized (this) {
            expire(State.SILENT, limits.silence(), expired);
            expire(State.TRANSFER, limits.transfer(), expired);
            expire(State.IDLE, limits.idle(), expired);
        }
        expired.forEach(close);
    }

    /** Closes all connections. */
    public void closeAll() {
        List<C> all = new ArrayList<>();
        synchronized (this) {
            open.values().forEach(each -> {
                all.addAll(each.keySet());
                each.clear();
            });
        }
        all.forEach(close);
    }

    /**
     * Closes one connection that does not wait for the server, if there is one: silent ones first, then slow ones, then idle
     * ones.
     */
    public void closeOne() {
        closeIfAny(evict());
    }

    /** Closes the connection whose request or answer has taken the longest, unless all are within {@code grace}. */
    public void closeSlowest() {
        closeIfAny(slowest());
    }

    synchronized int size() {
        return open.values().stream().mapToInt(Map::size).sum();
    }

    private void closeIfAny(C evicted) {
        if (evicted != null) {
            close.accept(evicted);
        }
    }

    /** A connection that was closed meanwhile stays closed. */
    private void move(C connection, State to) {
        for (LinkedHashMap<C, Long> each : open.values()) {
            if (each.remove(connection) != null) {
                open.get(to).put(connection, nanos.getAsLong());
                return;
            }
        }
    }

    private synchronized C evict() {
        C evicted = takeOldest(State.SILENT, Duration.ZERO);
        if (evicted == null) {
            evicted = slowest();
        }
        return evicted == null ? takeOldest(State.IDLE, Duration.ZERO) : evicted;
    }

    private synchronized C slowest() {
        return takeOldest(State.TRANSFER, limits.grace());
    }

    private C takeOldest(State state, Duration age) {
        Iterator<Map.Entry<C, Long>> all = open.get(state).entrySet().iterator();
        if (!all.hasNext()) {
            return null;
        }
        Map.Entry<C, Long> oldest = all.next();
        if (nanos.getAsLong() - oldest.getValue() < age.toNanos()) {
            return null;
        }
        all.remove();
        return oldest.getKey();
    }

    private void expire(State state, Duration limit, List<C> expired) {
        for (C one = takeOldest(state, limit); one != null; one = takeOldest(state, limit)) {
            expired.add(one);
        }
    }
}
