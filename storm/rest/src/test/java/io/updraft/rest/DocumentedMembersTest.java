package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every endpoint with the tables of Storm's document. */
@Tag("one-jdk")
class DocumentedMembersTest {

    @ParameterizedTest
    @MethodSource("endpoints")
    void shouldAnswerWithAllDocumentedMembers(String endpoint) throws IOException {
        RecordedNimbus nimbus = ClusterRecords.nimbus();
        if (endpoint.endsWith("component/words")) {
            nimbus.with("getComponentPageInfo", WordsTopology.spoutPage());
        }

        Map<String, Object> answer = RestTesting.ask(nimbus.api(ClusterRecords.CONF), endpoint);

        DocumentedMembers.assertPresent(endpoint, answer, Set.of());
    }

    @Test
    void shouldKnowTheDocument() throws IOException {
        assertThat(DocumentedMembers.byEndpoint()).hasSize(24);
        assertThat(DocumentedMembers.byEndpoint().values().stream()
                        .mapToInt(List::size)
                        .sum())
                .isGreaterThan(250);
    }

    static Stream<String> endpoints() throws IOException {
        return DocumentedMembers.byEndpoint().keySet().stream();
    }
}
