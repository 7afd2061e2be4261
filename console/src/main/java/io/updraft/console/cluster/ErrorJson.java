package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import io.updraft.base.text.OneLine;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.TopologyInfo;

/** Describes errors that workers have reported to the cluster. Storm keeps the newest ones of each component and counts none. */
final class ErrorJson {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private static final Pattern WRAPPERS =
            Pattern.compile("^(java\\.lang\\.RuntimeException: )+(?=[\\w.$]+(Exception|Error)(: |$))");

    private ErrorJson() {}

    /** Describes the errors of all components, the oldest first. */
    static JsonObject topology(TopologyInfo info) {
        Map<String, Integer> kept = new TreeMap<>();
        List<JsonObject> newest = new ArrayList<>();
        info.get_errors().forEach((component, errors) -> {
            if (!errors.isEmpty()) {
                kept.put(component, errors.size());
            }
            errors.forEach(error -> newest.add(json(component, error)));
        });
        newest.sort(Comparator.comparing(error -> (String) error.get("time")));
        return JsonObject.of("name", info.get_name()).with("counts", kept).with("newest", newest);
    }

    /** Describes an error, with its stack. */
    static JsonObject withStack(String component, ErrorInfo error) {
        return json(component, error).with("stack", error.get_error().lines().toList());
    }

    private static JsonObject json(String component, ErrorInfo error) {
        return JsonObject.of("time", time(error).toString())
                .with("component", component)
                .with("worker", worker(error))
                .with("error", message(error))
                .with("line", line(component, error));
    }

    static String line(String component, ErrorInfo error) {
        String worker = worker(error);
        return TIME.format(time(error).atZone(ZoneId.systemDefault())) + " " + component
                + (worker == null ? "" : " in " + worker) + ": " + message(error);
    }

    /** Returns the first line, without the exceptions that Storm's executor wraps around that of the component. */
    private static String message(ErrorInfo error) {
        return WRAPPERS.matcher(OneLine.first(error.get_error())).replaceFirst("");
    }

    private static Instant time(ErrorInfo error) {
        return Instant.ofEpochSecond(error.get_error_time_secs());
    }

    /** {@return the worker that reported an error; null if unknown} */
    static String worker(ErrorInfo error) {
        return error.get_host() == null ? null : ClusterJson.name(error.get_host(), error.get_port());
    }
}
