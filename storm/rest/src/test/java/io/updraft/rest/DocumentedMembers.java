package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The members of answers that Storm's document lists. */
public final class DocumentedMembers {
    private DocumentedMembers() {}

    /** {@return the members by endpoint} A member of a member follows a dot. */
    public static Map<String, List<String>> byEndpoint() throws IOException {
        Map<String, List<String>> endpoints = new LinkedHashMap<>();
        List<String> members = null;
        try (InputStream file = DocumentedMembers.class.getResourceAsStream("documented-members.txt")) {
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

    /**
     * Fails if an answer lacks a documented member.
     *
     * @param endpoint the endpoint, as in the list
     * @param answer the answer
     * @param without members that need not be there, as in the list
     */
    public static void assertPresent(String endpoint, Map<String, Object> answer, Set<String> without)
            throws IOException {
        boolean flat = endpoint.equals("cluster/configuration");
        for (String member : byEndpoint().get(endpoint)) {
            if (!without.contains(member)) {
                assertPresent(answer, flat ? List.of(member) : List.of(member.split("\\.")), endpoint + ": " + member);
            }
        }
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
}
