package io.updraft.kafka.sink;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Records in flight to the brokers. Only records that are not acknowledged are in memory. Slow brokers differ from brokers that
 * are away: they go on acknowledging. The writer's thread sends and waits. A thread of the producer reports acknowledgements.
 */
final class RecordTransmission {

    private final Producer<byte[], byte[]> producer;
    private final RecordRefusals refusals;
    private final Duration timeout;
    private final long begin = System.nanoTime();
    private long sent;

    // Guarded by this.
    private long answered;
    private long lastAnswer = begin;
    private Exception failure;

    /**
     * Creates a transmission without records.
     *
     * @param refusals receives the records that are refused
     * @param timeout how long the brokers may acknowledge nothing
     */
    RecordTransmission(Producer<byte[], byte[]> producer, RecordRefusals refusals, Duration timeout) {
        this.producer = producer;
        this.refusals = refusals;
        this.timeout = timeout;
    }

    /**
     * Sends a record. Blocks until the producer's buffer has capacity and the topic's metadata is known.
     *
     * @throws KafkaException the failure of an earlier record: later records would wait as long for the same failure
     */
    void send(ProducerRecord<byte[], byte[]> record) {
        throwFailure();
        long number = sent++;
        int bytes = RecordRefusals.bytes(record);
        try {
            producer.send(record, (metadata, e) -> answer(number, bytes, e));
        } catch (KafkaException e) {
            answer(number, bytes, e);
            throw e;
        }
    }

    synchronized void answer(long number, int bytes, Exception failed) {
        if (failed != null && RecordRefusals.isRefusal(failed)) {
            refusals.add(number, bytes, failed);
        }
        if (failed == null) {
            answered++;
            lastAnswer = System.nanoTime();
        } else if (failure == null) {
            failure = failed;
        }
        notifyAll();
    }

    /**
     * Waits until all sent records are acknowledged.
     *
     * @param limit how long the whole transmission may take, from its start
     * @throws TimeoutException if it takes longer, or if nothing was acknowledged within the timeout
     * @throws KafkaException the failure of a record
     */
    synchronized void await(Duration limit) {
        while (answered < sent) {
            throwFailure();
            long now = System.nanoTime();
            long left = Math.min(timeout.toNanos() - (now - lastAnswer), limit.toNanos() - (now - begin));
            if (left <= 0) {
                throw new TimeoutException(answered + " of " + sent + " records were acknowledged after "
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

    long sent() {
        return sent;
    }

    /** Returns whether the brokers have acknowledged a record recently. */
    synchronized boolean isFlowing() {
        return answered > 0 && System.nanoTime() - lastAnswer < timeout.toNanos();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
