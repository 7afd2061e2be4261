package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BehaviourObservationTest {

    @TempDir
    private Path directory;

    @Test
    void shouldCountByKindWithoutTheSystemsOwn() throws IOException {
        BehaviourObservation side = FakeSide.ran(directory)
                .saw("emitted\twords\tdefault\t7")
                .saw("emitted\twords\t__ack_ack\t1000")
                .observed();
        assertThat(side.ran()).isTrue();
        assertThat(side.counts("emitted")).isEqualTo(Map.of("lines default", 100L, "words default", 7L));
        assertThat(side.total("emitted")).isEqualTo(107);
        assertThat(side.total("acked")).isZero();
    }

    @Test
    void shouldSumWhatSeveralTopologiesOfAProgramDid() throws IOException {
        BehaviourObservation side =
                FakeSide.ran(directory).saw("emitted\tlines\tdefault\t5").observed();
        assertThat(side.counts("emitted")).containsExactly(Map.entry("lines default", 105L));
    }

    @Test
    void shouldKnowThatThereWasNoTopology() throws IOException {
        assertThat(FakeSide.empty(directory).observed().ran()).isFalse();
        Path none = directory.resolve("none");
        assertThat(BehaviourObservation.of(BehaviourObservation.STOPPED, none, none)
                        .ran())
                .isFalse();
    }

    @Test
    void shouldFindTheFirstGroupOrAllThatMatched() throws IOException {
        BehaviourObservation side = FakeSide.empty(directory)
                .printed("sum of a: 3", "sum of b: 3", "nothing")
                .observed();
        assertThat(side.found(Pattern.compile("sum of (?:a|b): (\\d)"))).containsExactly("3");
        assertThat(side.found(Pattern.compile("of .: \\d"))).containsExactly("of a: 3", "of b: 3");
    }

    @Test
    void shouldTakeTheFirstLineThatLooksLikeAFault() throws IOException {
        BehaviourObservation side = FakeSide.empty(directory)
                .printed("INFO Error handling is on", "java.lang.IllegalStateException: no", "Caused by: other")
                .observed();
        assertThat(side.complaint()).isEqualTo("java.lang.IllegalStateException: no");
        assertThat(FakeSide.empty(directory).printed("fine").observed().complaint())
                .isEmpty();
    }
}
