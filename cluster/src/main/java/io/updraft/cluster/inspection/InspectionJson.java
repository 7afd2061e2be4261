package io.updraft.cluster.inspection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONStyle;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.JSONParser;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;

/** The JSON of requests, answers and descriptions: one object on one line, in UTF-8. */
public final class InspectionJson {
    private InspectionJson() {}

    /**
     * Writes an object.
     *
     * @param object maps, lists, strings, numbers, booleans and nulls
     * @return one line without its end
     */
    public static String write(Map<String, Object> object) {
        // This style does not escape slashes.
        return JSONValue.toJSONString(object, JSONStyle.LT_COMPRESS);
    }

    /**
     * Reads an object.
     *
     * @param text the text
     * @return the object
     * @throws IOException when the text is not one JSON object
     */
    public static Map<String, Object> read(String text) throws IOException {
        try {
            if (new JSONParser(JSONParser.MODE_RFC4627).parse(text) instanceof JSONObject object) {
                return object;
            }
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // A deeply nested text overflows the stack.
            throw new IOException("not valid JSON", e);
        }
        throw new IOException("not a JSON object");
    }

    static byte[] line(Map<String, Object> object) {
        return (write(object) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
