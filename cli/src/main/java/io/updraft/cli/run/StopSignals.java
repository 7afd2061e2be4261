package io.updraft.cli.run;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells signals that ask a run to end from repetitions of the same request. {@code timeout} signals the process and then its
 * group, {@code systemd} may send SIGTERM and SIGHUP, and a script may pass on the Ctrl-C that the terminal has sent to the
 * whole group: one request arrives as several signals. Safe for use by any thread.
 */
final class StopSignals {
    /** How long after the first signal another one is the same request; a busy machine delivers them late. */
    static final Duration SAME_REQUEST = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private boolean any;
    private long firstNanos;

    StopSignals() {
        this(System::nanoTime);
    }

    StopSignals(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes a signal, and returns its meaning. */
    synchronized Meaning take() {
        long now = nanoTime.getAsLong();
        if (!any) {
            any = true;
            firstNanos = now;
            return Meaning.END;
        }
        return now - firstNanos < SAME_REQUEST.toNanos() ? Meaning.REPETITION : Meaning.END_AT_ONCE;
    }

    /** Returns whether there was a signal. */
    synchronized boolean any() {
        return any;
    }

    /** What a signal asks for. */
    enum Meaning {
        END,
        REPETITION,
        END_AT_ONCE
    }
}
