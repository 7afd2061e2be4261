package io.updraft.kafka.sink;

/** Results were not committed; {@link #remedy} says what can be done. */
public final class WriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Remedy remedy;

    WriteException(String message, Remedy remedy, Throwable cause) {
        super(message, cause);
        this.remedy = remedy;
    }

    /**
     * What to do about it.
     *
     * @return the remedy
     */
    public Remedy remedy() {
        return remedy;
    }
}
