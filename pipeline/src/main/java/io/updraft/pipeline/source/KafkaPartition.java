package io.updraft.pipeline.source;

import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.RecordBatch;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A partition that is read: how far, and whether it is quiet, or cannot be read just now. One thread. */
final class KafkaPartition {

    /** As {@link #end}: there is none. */
    static final long ENDLESS = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPartition.class);
    private static final long FIRST_PAUSE_MS = 500;
    private static final long LONGEST_PAUSE_MS = 30_000;

    /** A transaction that has been open for this long is worth a word. */
    private static final long OPEN_MS = 10_000;

    private static final long TOLD_AGAIN_MS = 60_000;

    /** The second answer is to a question that was asked after the first: of the first nobody knows how long it was on its way. */
    private static final long ANSWERS = 2;

    final String unit;
    final TopicPartition id;
    final KafkaClaim claim;
    final KafkaReader reader;

    /** Everything before this was read, or is no record; negative until it is known where reading begins. */
    private long next;

    private final long end;
    private boolean ended;

    /** When the newest record came, or the partition was called quiet, milliseconds; how many answers there were when it had been long. */
    private long quietSince;

    private long answersThen = -1;
    private long nextWord;

    /** Milliseconds; 0 unless it cannot be read. */
    private long failedSince;

    private String failure;
    private long failureTold;
    private long retryAt;
    private long pause;
    private boolean reads;

    /** Begins to read at an offset; {@code end} is where the partition ended when the run began, if the run ends there. */
    KafkaPartition(
            String unit, KafkaReader reader, TopicPartition id, KafkaClaim claim, long from, long end, long now) {
        this.unit = unit;
        this.reader = reader;
        this.id = id;
        this.claim = claim;
        this.next = from;
        this.end = end;
        this.quietSince = now;
        this.nextWord = now + OPEN_MS;
        assign();
    }

    private void assign() {
        reader.assign(id, next);
        reads = true;
        answersThen = -1;
    }

    void revoke() {
        reader.revoke(id);
        reads = false;
    }

    /** Records have come. */
    void take(RecordBatch batch, long now) {
        next = batch.to();
        quietSince = now;
        answersThen = -1;
        nextWord = now + OPEN_MS;
        recovered(now);
    }

    /**
     * What was passed although it is no record: before the first one, or before the end, as the ends of transactions are. Nobody else
     * says that this was read.
     *
     * @return the offset up to which; -1 if nothing was
     */
    long pass() {
        long passed = reads ? reader.passed(id) : -1;
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

    /** Whether everything before the end was read: true once only, and what comes after that is not read. */
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

    /** How many records there are still; -1 if unknown. */
    long lag() {
        if (ended) {
            return 0;
        }
        return reads ? reader.lag(id) : -1;
    }

    /**
     * Whether the broker has said, after no record had come for a while, that there is none. A broker that says nothing, to this process
     * or to all, and a process that was stopped, make no partition quiet. True once in that time.
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

    /** Says that the end is not reached as records before it are in a transaction that is open, or behind one. */
    void tellWhatIsOpen(long now) {
        if (end != ENDLESS && now >= nextWord && next >= 0 && lag() == 0) {
            nextWord = now + TOLD_AGAIN_MS;
            LOG.warn(
                    "{} is read up to offset {} of {}: a transaction is open there; the run ends when that has ended",
                    unit,
                    next,
                    end);
        }
    }

    /** Reading has failed: it is tried again, after a pause that grows. The first failure is told, then one in each minute. */
    void failed(String message, long now) {
        revoke();
        boolean first = failedSince == 0;
        failedSince = first ? now : failedSince;
        pause = pause == 0 ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
        retryAt = now + pause;
        if (first || !message.equals(failure) || now - failureTold >= TOLD_AGAIN_MS) {
            failureTold = now;
            LOG.warn("{}; trying again", message);
        }
        failure = message;
    }

    /** Why it cannot be read; null before the first failure. */
    String failure() {
        return failure;
    }

    /** Whether it cannot be read, and has to be waited for. */
    boolean isFailing() {
        return failedSince != 0;
    }

    void tryAgain(long now) {
        if (!reads && now >= retryAt) {
            assign();
        } else if (reads && reader.answers(id) > 0 && lag() == 0) {
            recovered(now);
        }
    }

    private void recovered(long now) {
        if (failedSince != 0) {
            LOG.warn("{} is read again, after {} s", unit, (now - failedSince) / 1_000);
            failedSince = 0;
            pause = 0;
        }
    }

    /** For how long it has not been read. */
    Duration outage(long now) {
        return Duration.ofMillis(failedSince == 0 ? 0 : now - failedSince);
    }
}
