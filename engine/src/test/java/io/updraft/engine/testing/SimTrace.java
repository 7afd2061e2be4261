package io.updraft.engine.testing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** The events of a simulation: always as a hash, and on request as the last lines of a log. */
public final class SimTrace {

    private static final int KEPT = 4000;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final Deque<String> lines;
    private long hash;
    private int depth;

    public SimTrace(boolean readable) {
        lines = readable ? new ArrayDeque<>() : null;
    }

    public void enter() {
        depth++;
    }

    public void leave() {
        depth--;
    }

    public void note(String what, long a, long b) {
        mix(what.hashCode());
        mix(a);
        mix(b);
        if (lines != null) {
            add(what + " " + a + " " + b);
        }
    }

    /** Remarks what has no part in the hash. */
    public void remark(Supplier<String> what) {
        if (lines != null) {
            add(what.get());
        }
    }

    private void add(String line) {
        if (lines.size() == KEPT) {
            lines.removeFirst();
        }
        lines.addLast("  ".repeat(depth) + line);
    }

    private void mix(long value) {
        hash = (hash ^ value) * MULTIPLIER;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }

    public String log() {
        return lines == null ? "" : String.join("\n", lines);
    }
}
