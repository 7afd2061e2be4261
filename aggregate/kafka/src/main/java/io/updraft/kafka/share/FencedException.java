package io.updraft.kafka.share;

import java.util.List;

/**
 * Thrown when a commit is refused because this process no longer owns the shares. The refusal is final for these ownerships.
 * Nothing of the commit took effect. The new owner computes again what was computed since the shares' last commit.
 */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Share.Ownership> fenced;

    /**
     * Creates an exception.
     *
     * @param fenced the ownerships that have ended; empty if the whole process is fenced
     * @param reason one line that says how the end was detected
     */
    public FencedException(List<Share.Ownership> fenced, String reason) {
        super(reason + (fenced.isEmpty() ? "" : " No longer owned: " + fenced + "."));
        this.fenced = List.copyOf(fenced);
    }

    /** {@return the ownerships that have ended; empty if the whole process is fenced} */
    public List<Share.Ownership> fenced() {
        return fenced == null ? List.of() : fenced;
    }
}
