package io.updraft.kafka.share;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once on one line why a process has no work, and when it gets some. Not thread-safe. */
final class StandbyLog {

    private static final Logger LOG = LoggerFactory.getLogger(StandbyLog.class);

    private String last;

    /** Reports that this process has no shares. Nothing is said again unless the reason has changed. */
    public void standBy(Object topics, String why) {
        if (!why.equals(last)) {
            last = why;
            LOG.warn("this process stands by and reads nothing of {}: {}", topics, why);
        }
    }

    /** Reports that this process has shares, if it stood by before. */
    public void work(int shares, Object topics) {
        if (last != null) {
            last = null;
            LOG.warn("this process takes over: it reads {} partition indexes of {}", shares, topics);
        }
    }
}
