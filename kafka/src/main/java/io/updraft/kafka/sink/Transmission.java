package io.updraft.kafka.sink;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Records on their way to the brokers. However many there are, only what they have not acknowledged is in memory. Brokers that take long
 * are told from brokers that are away: those that are slow go on acknowledging. The writer's thread sends and waits, a thread of the
 * producer's says what was acknowledged.
 */
final class Transmission {

    private final Producer<byte[], byte[]> producer;
    private final Duration patience;
    private final long begin = System.nanoTime();
    private long sent;

    // Guarded by this.
    private long answered;
    private long lastAnswer = begin;
    private Exception failure;

    /**
     * Nothing was sent yet.
     *
     * @param patience how long no broker may acknowledge anything
     */
    Transmission(Producer<byte[], byte[]> producer, Duration patience) {
        this.producer = producer;
        this.patience = patience;
    }

    /**
     * Sends a record; waits for room in the producer's buffer, and for its topic to be known.
     *
     * @throws KafkaException what a record before has failed with: the others would wait as long for the same
     */
    void send(ProducerRecord<byte[], byte[]> record) {
        throwFailure();
        sent++;
        producer.send(record, (metadata, e) -> answer(e));
    }

    synchronized void answer(Exception failed) {
        if (failed == null) {
            answered++;
            lastAnswer = System.nanoTime();
        } else if (failure == null) {
            failure = failed;
        }
        notifyAll();
    }

    /**
     * Waits until all that was sent has been acknowledged.
     *
     * @param limit how long all of it may take, from the beginning
     * @throws TimeoutException if it takes longer, or if nothing was acknowledged for as long as the patience lasts
     * @throws KafkaException what a record has failed with
     */
    synchronized void await(Duration limit) {
        while (answered < sent) {
            throwFailure();
            long now = System.nanoTime();
            long left = Math.min(patience.toNanos() - (now - lastAnswer), limit.toNanos() - (now - begin));
            if (left <= 0) {
                throw new TimeoutException(answered + " of " + sent + " records were acknowledged within "
                        + TimeUnit.NANOSECONDS.toSeconds(now - begin) + " s");
            }
            pause(left);
        }
    }

    private synchronized void throwFailure() {
        if (failure != null) {
            throw failure instanceof KafkaException known ? known : new KafkaException(failure);
        }
    }

    private void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** How many records were sent. */
    long sent() {
        return sent;
    }

    /** Whether brokers have acknowledged something of late. */
    synchronized boolean isFlowing() {
        return answered > 0 && System.nanoTime() - lastAnswer < patience.toNanos();
    }

    /** How long it has lasted. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
