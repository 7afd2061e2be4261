package io.updraft.engine.run;

/** The model's view of one reliable emit of a spout and its tuple tree. It is its own message id, equal to its replays. */
final class SimMessage {

    /** What the spout was told. */
    enum State {
        OPEN,
        ACKED,
        FAILED
    }

    final SimInstance from;
    final int number;
    final int attempt;
    final long emittedAt;

    State state = State.OPEN;

    /** Calls of emit that are on and belong to the tree. */
    int emitting;

    /** Tuples of the tree, and how many of them were acked. */
    int tuples;

    int acked;

    /** Whether a tuple of the tree was failed, or thrown at. */
    boolean failed;

    /** Whether it is a dead letter now, whose own tree decides. */
    boolean givenUp;

    long givenUpAt;
    int letters;
    int lettersAcked;
    int lettersReceived;
    boolean letterFailed;

    /** Whether it is in flight for certain. */
    boolean underWay;

    /** Whether something was lost while it was in flight. */
    boolean struck;

    /** Whether it may fail because the tasks of its spout are to go to other executors. */
    boolean mayGo;

    SimMessage(SimInstance from, int number, int attempt, long emittedAt) {
        this.from = from;
        this.number = number;
        this.attempt = attempt;
        this.emittedAt = emittedAt;
    }

    boolean isWhole() {
        return emitting == 0 && acked == tuples && !failed;
    }

    boolean isLetterWhole() {
        return lettersAcked == letters && !letterFailed;
    }

    /** Names the message, the same for all its replays. */
    long key() {
        return (long) from.task << 32 | number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SimMessage message && message.key() == key();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(key());
    }

    @Override
    public String toString() {
        return from + " message " + number + "." + attempt + " " + state + " tuples=" + tuples + " acked=" + acked
                + " emitting=" + emitting + (failed ? " failed" : "") + (struck ? " struck" : "")
                + (givenUp ? " given up, letters=" + letters + " acked=" + lettersAcked : "");
    }
}
