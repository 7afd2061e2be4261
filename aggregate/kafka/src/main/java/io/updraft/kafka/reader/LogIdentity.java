package io.updraft.kafka.reader;

/**
 * Identifies the log of a partition. It differs from the mark of another topic of the same name, and from the mark of a log
 * that an unclean leader election cut.
 *
 * @param topicId the first characters of the topic's id; empty if unknown
 * @param leaderEpoch the newest leader epoch of a record that was read; {@link #NO_EPOCH} if unknown
 */
public record LogIdentity(String topicId, int leaderEpoch) {

    /** Stands for an unknown epoch. */
    public static final int NO_EPOCH = -1;

    /** The mark of an unknown log. */
    public static final LogIdentity NONE = new LogIdentity("", NO_EPOCH);

    /** 48 bits: enough to tell a topic from another one that took its name. */
    private static final int ID_LENGTH = 8;

    /** Cuts the topic's id to the part that is kept. */
    public LogIdentity {
        topicId = topicId.length() > ID_LENGTH ? topicId.substring(0, ID_LENGTH) : topicId;
    }

    /** Returns the mark after reading a record of a leader. */
    public LogIdentity read(int epoch) {
        return epoch > leaderEpoch ? new LogIdentity(topicId, epoch) : this;
    }

    /** {@return whether both topic ids are known and differ} */
    boolean isOfAnotherTopicThan(LogIdentity other) {
        return !topicId.isEmpty() && !other.topicId.isEmpty() && !topicId.equals(other.topicId);
    }

    /** {@return the mark as text without blanks} */
    public String text() {
        return topicId + "." + leaderEpoch;
    }

    /**
     * Parses the format of {@link #text}.
     *
     * @return the mark; {@link #NONE} if the text has another format
     */
    public static LogIdentity parse(String text) {
        int dot = text.lastIndexOf('.');
        try {
            return dot < 0 ? NONE : new LogIdentity(text.substring(0, dot), Integer.parseInt(text.substring(dot + 1)));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }
}
