package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every endpoint with the tables of Storm's document. */
class DocumentedMembersTest {

    @ParameterizedTest
    @MethodSource("endpoints")
    void shouldAnswerWithAllDocumentedMembers(String endpoint) throws IOException {
        RecordedNimbus nimbus = ClusterRecords.nimbus();
        if (endpoint.endsWith("component/words")) {
            nimbus.with("getComponentPageInfo", WordsTopology.spoutPage());
        }

        Map<String, Object> answer = RestTesting.ask(nimbus.api(ClusterRecords.CONF), endpoint);

        for (String member : documented().get(endpoint)) {
            boolean flat = endpoint.equals("cluster/configuration");
            assertPresent(answer, flat ? List.of(member) : List.of(member.split("\\.")), endpoint + ": " + member);
        }
    }

    @Test
    void shouldKnowTheDocument() throws IOException {
        assertThat(documented()).hasSize(24);
        assertThat(documented().values().stream().mapToInt(List::size).sum()).isGreaterThan(250);
    }

    private static void assertPresent(Object json, List<String> path, String what) {
        if (json instanceof List<?> elements) {
            assertThat(elements).as(what).isNotEmpty();
            elements.forEach(element -> assertPresent(element, path, what));
        } else if (!path.isEmpty()) {
            assertThat(json).as(what).isInstanceOf(Map.class);
            Map<?, ?> members = (Map<?, ?>) json;
            assertThat(members.containsKey(path.get(0))).as(what).isTrue();
            if (path.size() > 1) {
                assertPresent(members.get(path.get(0)), path.subList(1, path.size()), what);
            }
        }
    }

    static Stream<String> endpoints() throws IOException {
        return documented().keySet().stream();
    }

    private static Map<String, List<String>> documented() throws IOException {
        Map<String, List<String>> endpoints = new LinkedHashMap<>();
        List<String> members = null;
        try (InputStream file = DocumentedMembersTest.class.getResourceAsStream("documented-members.txt")) {
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith(" ")) {
                    members.addAll(List.of(line.strip().split(" ")));
                } else if (!line.startsWith("#")) {
                    members = new ArrayList<>();
                    endpoints.put(line, members);
                }
            }
        }
        return endpoints;
    }
}
