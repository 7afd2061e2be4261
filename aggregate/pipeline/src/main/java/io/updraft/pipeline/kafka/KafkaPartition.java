package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.LogIdentity;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A partition that is read: its position, and whether it is idle or cannot be read now. Not thread-safe. */
final class KafkaPartition {

    /** The value of {@link #end} for a partition without an end. */
    static final long ENDLESS = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPartition.class);
    private static final long FIRST_PAUSE_MS = 500;
    private static final long MAX_PAUSE_MS = 30_000;

    /** A transaction that has been open for this long is logged. */
    private static final long OPEN_MS = 10_000;

    private static final long WARN_AGAIN_MS = 60_000;

    /** The second answer belongs to a request after the first answer. The first answer may have been delayed for any time. */
    private static final long ANSWERS = 2;

    final String name;
    final TopicPartition id;
    final KafkaShare share;
    final KafkaReader reader;

    private LogIdentity log;

    /** The offset before which all records were read; negative until the first offset is known. */
    private long next;

    private final long end;
    private boolean ended;

    /**
     * When the newest record came or the partition was last reported idle, in milliseconds. {@link #answersThen} is the number of
     * answers when the idle time was first exceeded; -1 before.
     */
    private long quietSince;

    private long answersThen = -1;
    private long nextWarning;

    /** Milliseconds; 0 while the partition can be read. */
    private long failedSince;

    private String failure;
    private long failureLogged;
    private long retryAt;
    private long pause;
    private boolean reads;

    /** Starts to read at an offset. {@code end} is the partition's end when the run began, or {@link #ENDLESS}. */
    KafkaPartition(
            String name,
            KafkaReader reader,
            TopicPartition id,
            KafkaShare share,
            LogIdentity log,
            long from,
            long end,
            long now) {
        this.name = name;
        this.log = log;
        this.reader = reader;
        this.id = id;
        this.share = share;
        this.next = from;
        this.end = end;
        this.quietSince = now;
        this.nextWarning = now + OPEN_MS;
        assign();
    }

    private void assign() {
        reader.assign(id, name, next);
        reads = true;
        answersThen = -1;
    }

    void revoke() {
        reader.revoke(id);
        reads = false;
    }

    /** Takes a chunk. Returns whether the partition could not be read before. */
    boolean take(KafkaChunk chunk, long now) {
        next = chunk.to();
        LogIdentity read = log.read(chunk.leaderEpoch());
        if (read != log) {
            log = read;
            share.setLog(name, log);
        }
        quietSince = now;
        answersThen = -1;
        nextWarning = now + OPEN_MS;
        return recovered(now);
    }

    /**
     * Passes offsets that hold no record: those before the first record, or before the end, such as transaction markers. No
     * chunk reports these offsets as read.
     *
     * @return the offset up to which offsets were passed; -1 if none were
     */
    long pass() {
        long passed = reads ? reader.readUpTo(id) : -1;
        boolean begins = next < 0 && passed >= 0;
        boolean comesToTheEnd = passed > next && passed >= end;
        if (!begins && !comesToTheEnd) {
            return -1;
        }
        next = passed;
        return passed;
    }

    long next() {
        return next;
    }

    /** Returns whether all records before the end were read. True only once; later records are not read. */
    boolean ends() {
        if (ended || next < end) {
            return false;
        }
        ended = true;
        revoke();
        return true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns how many records are left to read; -1 if unknown. */
    long lag() {
        if (ended) {
            return 0;
        }
        return reads ? reader.lag(id) : -1;
    }

    /**
     * Returns whether the broker has confirmed, after some time without a record, that there is none. A broker that does not
     * answer, or a process that was suspended, does not make a partition idle. True once in that time.
     */
    boolean isQuiet(long now, long idleMs) {
        if (!reads || now - quietSince < idleMs) {
            return false;
        }
        long answers = reader.answers(id);
        if (answersThen < 0) {
            answersThen = answers;
        }
        if (answers - answersThen < ANSWERS || lag() != 0) {
            return false;
        }
        quietSince = now;
        answersThen = -1;
        return true;
    }

    /** Logs that the end is not reached because of an open transaction. */
    void warnOfOpenTransaction(long now) {
        if (end != ENDLESS && now >= nextWarning && next >= 0 && lag() == 0) {
            nextWarning = now + WARN_AGAIN_MS;
            LOG.warn(
                    "{} is read up to offset {} of {}: a transaction is open there; the run ends when the"
                            + " transaction ends",
                    name,
                    next,
                    end);
        }
    }

    /** Handles a failed read. The next attempt comes after a growing pause. Logs the first failure, then one a minute. */
    void failed(String message, long now) {
        revoke();
        boolean first = failedSince == 0;
        failedSince = first ? now : failedSince;
        pause = pause == 0 ? FIRST_PAUSE_MS : Math.min(2 * pause, MAX_PAUSE_MS);
        retryAt = now + pause;
        if (first || !message.equals(failure) || now - failureLogged >= WARN_AGAIN_MS) {
            failureLogged = now;
            LOG.warn("{}; retrying", message);
        }
        failure = message;
    }

    /** Returns why the partition cannot be read; null before the first failure. */
    String failure() {
        return failure;
    }

    boolean isFailing() {
        return failedSince != 0;
    }

    /** Reads a partition that could not be read once more, if it is time. Returns whether it can be read again. */
    boolean tryAgain(long now) {
        if (!reads && now >= retryAt) {
            assign();
            return false;
        }
        return reads && reader.answers(id) > 0 && lag() == 0 && recovered(now);
    }

    private boolean recovered(long now) {
        if (failedSince == 0) {
            return false;
        }
        LOG.warn("{} can be read again, after {} s", name, (now - failedSince) / 1_000);
        failedSince = 0;
        pause = 0;
        return true;
    }

    Duration outage(long now) {
        return Duration.ofMillis(failedSince == 0 ? 0 : now - failedSince);
    }
}
