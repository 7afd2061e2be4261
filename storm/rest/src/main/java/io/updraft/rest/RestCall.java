package io.updraft.rest;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A request whose path was recognized.
 *
 * @param request the request
 * @param variables the parts of the path that a route leaves open, decoded, by name
 */
record RestCall(RestRequest request, Map<String, String> variables) {
    private static final int LONGEST_CALLBACK = 128;
    private static final Pattern IDENTIFIER_PATH =
            Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*(\\.[A-Za-z_$][A-Za-z0-9_$]*)*");

    String topology() {
        return variables.get("id");
    }

    String variable(String name) {
        return variables.get(name);
    }

    /** {@return the value of a parameter of the query, or null} */
    String parameter(String name) throws RestRefusal {
        List<String> values = request.parameters().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw RestRefusal.badRequest("parameter '" + name + "' is given " + values.size() + " times");
        }
        return values.isEmpty() || values.get(0).isEmpty() ? null : values.get(0);
    }

    /** {@return the time window: a number of seconds, or {@link UiText#ALL_TIME}} */
    String window() throws RestRefusal {
        String window = parameter("window");
        if (window == null || window.equals(UiText.ALL_TIME)) {
            return UiText.ALL_TIME;
        }
        return Integer.toString(integer("parameter 'window'", window, 1, ", or " + UiText.ALL_TIME));
    }

    /** {@return whether the answer includes Storm's own streams and components} */
    boolean system() throws RestRefusal {
        String system = parameter("sys");
        if (system == null || system.equals("0") || system.equals("false")) {
            return false;
        }
        if (system.equals("1") || system.equals("true")) {
            return true;
        }
        throw RestRefusal.badRequest("parameter 'sys' must be 1 or 0, not '" + system + "'");
    }

    /** {@return a variable of the path that is a whole number, at least 0} */
    int wholeNumber(String name) throws RestRefusal {
        return integer(name, variables.get(name), 0, "");
    }

    /** {@return the name of the function that the answer calls, or null} */
    String callback() throws RestRefusal {
        String callback = parameter("callback");
        if (callback == null) {
            return null;
        }
        if (callback.length() > LONGEST_CALLBACK
                || !IDENTIFIER_PATH.matcher(callback).matches()) {
            throw RestRefusal.badRequest("parameter 'callback' must be the name of a JavaScript function");
        }
        return callback;
    }

    /** {@return the members of the body; empty when there is no body} */
    JsonObject json() throws RestRefusal {
        try {
            return request.body().isBlank() ? JsonObject.of() : Json.readObject(request.body());
        } catch (JsonException e) {
            throw RestRefusal.badRequest("the body is " + e.getMessage());
        }
    }

    /** {@return a member that is an object, or null when the member is absent or null} */
    @SuppressWarnings("unchecked")
    static JsonObject object(JsonObject parent, String name) throws RestRefusal {
        Object value = parent.get(name);
        if (value == null || value instanceof Map) {
            return (JsonObject) value;
        }
        throw RestRefusal.badRequest("'" + name + "' must be a JSON object");
    }

    static int integer(String subject, String text, int least, String alternative) throws RestRefusal {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The same answer as for a number out of bounds.
        }
        throw RestRefusal.badRequest(
                subject + " must be a whole number, at least " + least + alternative + "; it is '" + text + "'");
    }
}
