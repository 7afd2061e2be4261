package io.updraft.kafka.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyPartitionTest {

    /** The hashes are from the tests of Kafka's own murmur2. */
    @ParameterizedTest
    @CsvSource({"21, -973932308", "foobar, -790332482", "a-little-bit-long-string, -985981536"})
    void shouldHashLikeKafka(String key, int hash) {
        for (int partitions : new int[] {1, 7, 12, 1_000}) {
            assertThat(Router.partition(key.getBytes(StandardCharsets.UTF_8), partitions))
                    .isEqualTo((hash & 0x7fffffff) % partitions);
        }
    }
}
