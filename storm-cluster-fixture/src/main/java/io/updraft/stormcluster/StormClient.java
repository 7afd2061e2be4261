package io.updraft.stormcluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * Storm's command {@code storm jar}.
 *
 * @param home Storm's home directory
 * @param configuration the file with the client's configuration
 */
record StormClient(StormHome home, Path configuration) {

    /** Starts a program that submits a topology, in a JVM of its own. */
    Process start(Path jar, String main, Map<String, Object> conf, String... arguments) {
        String name = "submit-" + main;
        return new Jvm(home, home.clientClassPath(jar), List.of())
                .with("storm.jar=" + jar, "storm.options=" + optionsOf(conf), "storm.conf.file=" + configuration)
                .logging(name)
                .start(name, main, arguments);
    }

    private static String optionsOf(Map<String, Object> conf) {
        return conf.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "%3D" + encoded(JSONValue.toJSONString(each.getValue())))
                .collect(Collectors.joining(","));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
