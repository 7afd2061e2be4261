package io.updraft.kafka.sink;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The writer waits for the acknowledgement of its record, while a producer thread acknowledges it. The wake-up is not lost. */
@JCStressTest
@Description("Whoever waits for an acknowledgement is woken by it, and does not wait until its patience is over.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "it was acknowledged")
@Outcome(id = "0", expect = FORBIDDEN, desc = "the patience was over: the acknowledgement was lost")
@State
public class TransmissionAwaitTest {

    /** Longer than any hold-up of the machine, so that only a lost wake-up lasts that long. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Takes records, and says nothing of them. */
    private static final MockProducer<byte[], byte[]> SILENT =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public synchronized Future<RecordMetadata> send(
                        ProducerRecord<byte[], byte[]> record, Callback callback) {
                    return null;
                }
            };

    private final RecordTransmission transmission =
            new RecordTransmission(SILENT, new RecordRefusals(Map.of(), true), PATIENCE);

    /** Creates the state of one try: one record is on its way. */
    public TransmissionAwaitTest() {
        transmission.send(new ProducerRecord<>("topic", new byte[0]));
    }

    /**
     * The writer.
     *
     * @param result whether all was acknowledged
     */
    @Actor
    public void await(I_Result result) {
        try {
            transmission.await(PATIENCE);
            result.r1 = 1;
        } catch (TimeoutException e) {
            result.r1 = 0;
        }
    }

    /** The producer. */
    @Actor
    public void acknowledge() {
        transmission.answer(0, 0, null);
    }
}
