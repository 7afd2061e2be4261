package io.updraft.kafka.reader;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that a part of Kafka does not answer: after a while, then every minute, and when it answers again. Not thread-safe. */
public final class OutageLog {

    private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);
    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String subject;
    private final long delay;
    private final LongSupplier nanoTime;
    private final Consumer<String> log;
    private long since;
    private long nextWarning;
    private boolean away;
    private boolean warned;
    private String reason = "";

    /**
     * Creates an outage that has not begun.
     *
     * @param subject the subject of a sentence, such as {@code Kafka at host:9092}
     * @param delay how long the outage may last before the first message
     */
    public OutageLog(String subject, Duration delay) {
        this(subject, delay, System::nanoTime, LOG::warn);
    }

    OutageLog(String subject, Duration delay, LongSupplier nanoTime, Consumer<String> log) {
        this.subject = subject;
        this.delay = delay.toNanos();
        this.nanoTime = nanoTime;
        this.log = log;
    }

    /** Begins or continues the outage. */
    public void report(String reason) {
        long now = nanoTime.getAsLong();
        this.reason = reason;
        if (!away) {
            away = true;
            warned = false;
            since = now;
            nextWarning = now + delay;
        }
        if (now - nextWarning >= 0) {
            nextWarning = now + AGAIN_NANOS;
            log.accept(subject + (warned ? " has not answered for " + seconds(now) + " s" : " does not answer") + ": "
                    + reason + "; retrying until it answers");
            warned = true;
        }
    }

    /** Ends the outage. */
    public void end() {
        if (away && warned) {
            log.accept(subject + " answers again, after " + seconds(nanoTime.getAsLong()) + " s");
        }
        away = false;
    }

    /** {@return the length of the outage; zero if there is none} */
    public Duration length() {
        return away ? Duration.ofNanos(nanoTime.getAsLong() - since) : Duration.ZERO;
    }

    /** {@return a message of one line: who does not answer, for how long, and why} */
    @Override
    public String toString() {
        return away
                ? subject + " has not answered for " + seconds(nanoTime.getAsLong()) + " s: " + reason
                : subject + " is available";
    }

    private long seconds(long now) {
        return TimeUnit.NANOSECONDS.toSeconds(now - since);
    }
}
