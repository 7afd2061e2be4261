package io.updraft.rest;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.Nimbus;

/**
 * One kind of request.
 *
 * @param method the HTTP method
 * @param segments the path after {@code /api/v1/}; a segment in braces is a variable
 * @param action whether the request changes something
 * @param handler makes the answer
 */
record RestRoute(String method, List<String> segments, boolean action, Handler handler) {
    static final String PREFIX = "/api/v1/";

    /** Makes the members of an answer. */
    interface Handler {
        Object answer(Nimbus.Iface nimbus, RestCall call) throws Exception;
    }

    static RestRoute get(String path, Handler handler) {
        return new RestRoute("GET", List.of(path.split("/")), false, handler);
    }

    /** A request that changes something, although its method is GET: Storm's document has it so. */
    static RestRoute getAction(String path, Handler handler) {
        return new RestRoute("GET", List.of(path.split("/")), true, handler);
    }

    static RestRoute post(String path, Handler handler) {
        return new RestRoute("POST", List.of(path.split("/")), true, handler);
    }

    /**
     * {@return the decoded segments of a path, or null when the path is not of this API or cannot be decoded} A slash at the end
     * is ignored, as by Storm's server.
     */
    static List<String> segments(String path) {
        if (!path.startsWith(PREFIX)) {
            return null;
        }
        String relative = path.substring(PREFIX.length());
        String whole = relative.endsWith("/") ? relative.substring(0, relative.length() - 1) : relative;
        try {
            return List.of(whole.split("/", -1)).stream()
                    // A plus is a space in a query only.
                    .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8))
                    .toList();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** {@return the variables of a path, or null when the path is another one} */
    Map<String, String> match(List<String> path) {
        if (path.size() != segments.size()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String segment = segments.get(i);
            if (segment.startsWith("{") && !path.get(i).isEmpty()) {
                variables.put(segment.substring(1, segment.length() - 1), path.get(i));
            } else if (!segment.equals(path.get(i))) {
                return null;
            }
        }
        return variables;
    }
}
