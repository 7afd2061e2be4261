package io.updraft.rest;

import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONStyle;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.JSONParser;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;

/** The JSON of requests and answers. */
final class RestJson {
    private RestJson() {}

    static String write(Object value) {
        // This style does not escape slashes.
        return JSONValue.toJSONString(value, JSONStyle.LT_COMPRESS);
    }

    /** {@return the members of an object} */
    static Map<String, Object> read(String what, String text) throws RestRefusal {
        try {
            if (new JSONParser(JSONParser.MODE_RFC4627).parse(text) instanceof JSONObject object) {
                return object;
            }
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // A deeply nested text overflows the stack.
            throw RestRefusal.badRequest(what + " is not valid JSON");
        }
        throw RestRefusal.badRequest(what + " is not a JSON object");
    }

    /** {@return a member that is an object, or null when the member is absent or null} */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Map<String, Object> parent, String name) throws RestRefusal {
        Object value = parent.get(name);
        if (value == null || value instanceof Map) {
            return (Map<String, Object>) value;
        }
        throw RestRefusal.badRequest("'" + name + "' must be a JSON object");
    }
}
