package io.updraft.kafka.reader;

/**
 * What tells the log of a partition from another of the same name, and from what was left of it after an unclean election of a leader.
 *
 * @param topicId the beginning of the topic's id; empty if it is not known
 * @param leaderEpoch the newest epoch of a leader of which a record was read; {@link #NO_EPOCH} if none is known
 */
public record LogMark(String topicId, int leaderEpoch) {

    /** In place of an epoch that is not known. */
    public static final int NO_EPOCH = -1;

    /** Nothing is known. */
    public static final LogMark NONE = new LogMark("", NO_EPOCH);

    /** 48 bits: enough to tell a topic from the one that took its name. */
    private static final int ID_LENGTH = 8;

    /** One whose topic's id is cut to what is kept. */
    public LogMark {
        topicId = topicId.length() > ID_LENGTH ? topicId.substring(0, ID_LENGTH) : topicId;
    }

    /**
     * The same log, of which a record of a leader was read.
     *
     * @param epoch the leader's
     * @return with the newer of both epochs
     */
    public LogMark read(int epoch) {
        return epoch > leaderEpoch ? new LogMark(topicId, epoch) : this;
    }

    /** {@return whether both know their topic's id, and the ids differ} */
    boolean isOfAnotherTopicThan(LogMark other) {
        return !topicId.isEmpty() && !other.topicId.isEmpty() && !topicId.equals(other.topicId);
    }

    /** {@return it as text without blanks} */
    public String text() {
        return topicId + "." + leaderEpoch;
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @param text written by it, or by somebody else
     * @return {@link #NONE} if it is not that
     */
    public static LogMark parse(String text) {
        int dot = text.lastIndexOf('.');
        try {
            return dot < 0 ? NONE : new LogMark(text.substring(0, dot), Integer.parseInt(text.substring(dot + 1)));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }
}
