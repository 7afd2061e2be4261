package io.updraft.kafka.units;

import java.util.List;

/**
 * A commit was refused as this process no longer owns the units: lasting for these ownerships. Nothing of the commit
 * took effect. What was computed for the units since their last commit is the new owner's to compute again.
 */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Ownership> fenced;

    /**
     * A refusal.
     *
     * @param fenced the ownerships that are over; empty if the process as a whole is shut out
     * @param reason one line that says how that is known
     */
    public FencedException(List<Ownership> fenced, String reason) {
        this(fenced, reason, null);
    }

    /**
     * A refusal.
     *
     * @param fenced the ownerships that are over; empty if the process as a whole is shut out
     * @param reason one line that says how that is known
     * @param cause what a server said; may be null
     */
    public FencedException(List<Ownership> fenced, String reason, Throwable cause) {
        super(reason + (fenced.isEmpty() ? "" : " No longer owned: " + fenced + "."), cause);
        this.fenced = List.copyOf(fenced);
    }

    /**
     * What is over.
     *
     * @return the ownerships that no longer hold; empty if the process as a whole is shut out
     */
    public List<Ownership> fenced() {
        return fenced == null ? List.of() : fenced;
    }
}
