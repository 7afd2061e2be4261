package io.updraft.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results that take a real broker longer than the first transaction may take. */
@Tag("long")
final class SlowBrokerTest {

    private static final int RECORDS = 3_000;
    private static final int BYTES = 1_000;

    /** All results take six seconds. */
    private static final double BYTES_A_SECOND = 500_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Test
    void shouldCommitResultsThatTakeLongerThanTheFirstTransactionMay() throws Exception {
        try (KafkaServer kafka = KafkaServer.builder()
                .config("quota.window.num", "2")
                .config("quota.window.size.seconds", "1")
                .start()) {
            kafka.createTopic("results", 1, 1);
            kafka.admin()
                    .alterClientQuotas(List.of(new ClientQuotaAlteration(
                            new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "slow")),
                            List.of(new ClientQuotaAlteration.Op("producer_byte_rate", BYTES_A_SECOND)))))
                    .all()
                    .get();
            Map<String, Object> client =
                    Map.of("bootstrap.servers", kafka.bootstrap(), "client.id", "slow", "batch.size", 16_384);
            try (TransactionalWriter writer =
                    new TransactionalWriter(new WriterSettings(client, TIMEOUT), new OneShareCoordinator())) {
                commitWithPatience(writer);
            }
            assertThat(committed(kafka)).isEqualTo(RECORDS);
        }
    }

    /** A busy machine may be slower still: what the writer leaves to its caller is done again, as in a pipeline. */
    private static void commitWithPatience(TransactionalWriter writer) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                writer.commit(SlowBrokerTest::results, List.of());
                return;
            } catch (WriteException e) {
                boolean again =
                        e.remedy() == WriteException.Remedy.TRY_AGAIN || e.remedy() == WriteException.Remedy.ASK_AGAIN;
                if (!again || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    private static void results(java.util.function.Consumer<ProducerRecord<byte[], byte[]>> to) {
        Random random = new Random(1);
        for (int i = 0; i < RECORDS; i++) {
            byte[] value = new byte[BYTES];
            random.nextBytes(value);
            to.accept(new ProducerRecord<>("results", value));
        }
    }

    private static int committed(KafkaServer kafka) {
        return kafka.records("results").size();
    }
}
