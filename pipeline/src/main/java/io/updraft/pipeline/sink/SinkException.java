package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Source;
import java.util.Set;

/** A sink cannot write. The message is one line that says what is wrong and where. */
public final class SinkException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean transientFailure;
    private final transient Set<Source.Claim> lost;

    private SinkException(String message, Throwable cause, boolean transientFailure, Set<Source.Claim> lost) {
        super(message, cause);
        this.transientFailure = transientFailure;
        this.lost = lost;
    }

    /** Trying again may help: the other side is away, or is overloaded. */
    public static SinkException passing(String message, Throwable cause) {
        return new SinkException(message, cause, true, Set.of());
    }

    /** Trying again does not help: a column is missing, a password is wrong, the process was fenced. */
    public static SinkException lasting(String message, Throwable cause) {
        return new SinkException(message, cause, false, Set.of());
    }

    /** The right to some units is lost: nothing was written, and what does not come from them can be. */
    public static SinkException lost(Set<Source.Claim> claims, String message, Throwable cause) {
        return new SinkException(message, cause, false, Set.copyOf(claims));
    }

    /** The claims that are lost, if that is the failure; else none. */
    public Set<Source.Claim> lost() {
        return lost == null ? Set.of() : lost;
    }

    /** Whether trying again may help. */
    public boolean isTransient() {
        return transientFailure;
    }
}
