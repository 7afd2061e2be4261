package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.Utils;

/** Requests of tests, by lines such as {@code POST topology/words/activate}; the method is GET by default. */
final class RestTesting {
    private RestTesting() {}

    static RestRequest request(String line, String body) {
        String method = line.startsWith("POST ") ? "POST" : "GET";
        String[] target = line.replace("POST ", "").split("\\?");
        Map<String, List<String>> parameters = new HashMap<>();
        for (String pair : target.length > 1 ? target[1].split("&") : new String[0]) {
            String[] sides = pair.split("=", 2);
            parameters
                    .computeIfAbsent(sides[0], name -> new ArrayList<>())
                    .add(URLDecoder.decode(sides[1], StandardCharsets.UTF_8));
        }
        return new RestRequest(method, "/api/v1/" + target[0], parameters, body, "ann");
    }

    static Map<String, Object> ask(StormRestApi api, String line) {
        return ask(api, line, "");
    }

    static Map<String, Object> ask(StormRestApi api, String line, String body) {
        RestAnswer answer = api.answer(request(line, body));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo("application/json;charset=utf-8");
        return Utils.parseJson(answer.body());
    }

    /** {@return the values at the end of a path of members, through all elements of arrays} */
    static List<Object> at(Map<String, Object> json, String path) {
        List<Object> values = List.of(json);
        for (String member : path.split("/")) {
            List<Object> next = new ArrayList<>();
            for (Object value : values) {
                Object found = ((Map<?, ?>) value).get(member);
                next.addAll(found instanceof List<?> list ? list : Collections.singletonList(found));
            }
            values = next;
        }
        return values;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> member(Map<String, Object> json, String name) {
        return (Map<String, Object>) json.get(name);
    }
}
