package io.updraft.storm;

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
 * The open connections of one port, by what they do. Peers that are silent or slow must not keep others out: beyond the limits the
 * connection that has been silent or slow for the longest is closed, and never one whose request is being worked off.
 *
 * <p>Safe to use from any thread. Connections are closed by the caller's thread, outside the lock.
 *
 * @param <C> a connection, with the identity of an object
 */
final class ConnectionLimits<C> {

    /** What a connection does. */
    private enum State {
        /** Has not sent a byte. */
        SILENT,
        /** Is in the midst of sending a request, or of taking the answer. */
        TRANSFER,
        /** Waits for us to work off its request. */
        CALL,
        /** Has had an answer, and has not begun another request. */
        IDLE
    }

    /**
     * What is allowed.
     *
     * @param connections most that are open
     * @param transfers most that are in the midst of a request or answer, not counting those that began within {@code grace}
     * @param silence how long one may say nothing before its first request
     * @param transfer how long a request or answer may take
     * @param idle how long one may say nothing after an answer
     * @param grace for so long a transfer counts as a quick one
     */
    record Limits(int connections, int transfers, Duration silence, Duration transfer, Duration idle, Duration grace) {}

    private final Limits limits;
    private final Consumer<C> close;
    private final LongSupplier nanos;

    /** By state, in the order in which they came into it, with the time at which they did. */
    private final Map<State, LinkedHashMap<C, Long>> open = new EnumMap<>(State.class);

    /**
     * Starts without connections.
     *
     * @param limits what is allowed
     * @param close closes a connection, without waiting; may be called more than once for one
     * @param nanos the clock, as {@link System#nanoTime()}
     */
    ConnectionLimits(Limits limits, Consumer<C> close, LongSupplier nanos) {
        this.limits = limits;
        this.close = close;
        this.nanos = nanos;
        for (State state : State.values()) {
            open.put(state, new LinkedHashMap<>());
        }
    }

    /** A connection was accepted; makes room for it. Closes the connection itself if all others are being worked for. */
    void opened(C connection) {
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

    /** Its request or answer begins. */
    void transfers(C connection) {
        C evicted = null;
        synchronized (this) {
            move(connection, State.TRANSFER);
            if (open.get(State.TRANSFER).size() > limits.transfers()) {
                evicted = slowest();
            }
        }
        closeIfAny(evicted);
    }

    /** Its request has come as a whole. */
    synchronized void calls(C connection) {
        move(connection, State.CALL);
    }

    /** Its answer has gone. */
    synchronized void idles(C connection) {
        move(connection, State.IDLE);
    }

    /** It is closed. */
    synchronized void closed(C connection) {
        open.values().forEach(each -> each.remove(connection));
    }

    /** Closes those that have taken too long; to be called now and then. */
    void expire() {
        List<C> expired = new ArrayList<>();
        synchronized (this) {
            expire(State.SILENT, limits.silence(), expired);
            expire(State.TRANSFER, limits.transfer(), expired);
            expire(State.IDLE, limits.idle(), expired);
        }
        expired.forEach(close);
    }

    /** Closes all. */
    void closeAll() {
        List<C> all = new ArrayList<>();
        synchronized (this) {
            open.values().forEach(each -> {
                all.addAll(each.keySet());
                each.clear();
            });
        }
        all.forEach(close);
    }

    /** Closes one that nobody works for, the most useless first, if there is one. */
    void makeRoom() {
        C evicted;
        synchronized (this) {
            evicted = evict();
        }
        closeIfAny(evicted);
    }

    /** Closes the request or answer that has taken the longest, unless all are quick. */
    void closeSlowest() {
        C slowest;
        synchronized (this) {
            slowest = slowest();
        }
        closeIfAny(slowest);
    }

    /** {@return how many are open} */
    synchronized int size() {
        return open.values().stream().mapToInt(Map::size).sum();
    }

    private void closeIfAny(C evicted) {
        if (evicted != null) {
            close.accept(evicted);
        }
    }

    /** One that was closed meanwhile stays so. */
    private void move(C connection, State to) {
        for (LinkedHashMap<C, Long> each : open.values()) {
            if (each.remove(connection) != null) {
                open.get(to).put(connection, nanos.getAsLong());
                return;
            }
        }
    }

    private C evict() {
        C evicted = takeOldest(State.SILENT, Duration.ZERO);
        if (evicted == null) {
            evicted = slowest();
        }
        return evicted == null ? takeOldest(State.IDLE, Duration.ZERO) : evicted;
    }

    private C slowest() {
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
