package io.updraft.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class RecordTransmissionTest {

    @Test
    void shouldSendNothingBehindARecordThatHasFailed() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        RecordTransmission transmission =
                new RecordTransmission(producer, new RecordRefusals(Map.of(), true), Duration.ofMinutes(1));
        transmission.send(new ProducerRecord<>("results", new byte[1]));
        producer.errorNext(new TimeoutException("Topic results not present in metadata after 30000 ms."));

        assertThatThrownBy(() -> transmission.send(new ProducerRecord<>("results", new byte[1])))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Topic results");
        assertThat(producer.history()).hasSize(1);
    }
}
