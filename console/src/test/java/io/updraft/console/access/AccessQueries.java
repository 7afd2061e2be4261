package io.updraft.console.access;

import io.updraft.http.HttpQuery;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests as the console's port has them. */
final class AccessQueries {
    static final InetSocketAddress PEER = new InetSocketAddress("192.0.2.7", 50_123);
    static final InetSocketAddress OWN = new InetSocketAddress("192.0.2.1", 8080);

    private AccessQueries() {}

    /** Returns a request; headers as {@code "Origin: null | Host: localhost"}, the host is else {@code localhost:8080}. */
    static HttpQuery query(String method, String uri, String headers, String body) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Host", "localhost:8080");
        for (String header : headers == null ? new String[0] : headers.split("\\s*\\|\\s*")) {
            String[] pair = header.split(": ?", 2);
            all.put(pair[0], pair[1]);
        }
        String[] parts = uri.split("\\?", 2);
        String raw = parts.length == 1 ? "" : parts[1];
        Map<String, List<String>> parameters = new HashMap<>();
        for (String each : raw.split("&")) {
            String[] pair = each.split("=", 2);
            parameters.computeIfAbsent(pair[0], none -> new ArrayList<>()).add(pair.length == 1 ? "" : pair[1]);
        }
        byte[] bytes = (body == null ? "" : body).getBytes(StandardCharsets.UTF_8);
        return new HttpQuery(method, parts[0], parts[0], raw, parameters, all, bytes, PEER, OWN, null);
    }
}
