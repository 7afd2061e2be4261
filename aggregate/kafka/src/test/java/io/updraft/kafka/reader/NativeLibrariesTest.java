package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

final class NativeLibrariesTest {

    @Test
    void shouldFindTheLibraryThatCannotBeLoadedAmongTheCauses() {
        KafkaException failure = new KafkaException(
                "Received exception when fetching the next record",
                new KafkaException(new UnsatisfiedLinkError("/tmp/libzstd.so: failed to map\n segment")));
        assertThat(NativeLibraries.reasonIn(failure))
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("a library cannot be loaded (/tmp/libzstd.so: failed to map segment); if ")
                        .endsWith("name another directory: UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=..."));
        assertThat(NativeLibraries.reasonIn(new KafkaException("damaged"))).isEmpty();
        assertThat(NativeLibraries.reasonIn(new NoClassDefFoundError("Could not initialize class Snappy")))
                .isPresent();
    }
}
