package io.updraft.console.cluster;

import io.updraft.base.text.OneLine;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
    static Map<String, Object> topology(TopologyInfo info) {
        Map<String, Object> kept = new TreeMap<>();
        List<Map<String, Object>> newest = new ArrayList<>();
        info.get_errors().forEach((component, errors) -> {
            if (!errors.isEmpty()) {
                kept.put(component, errors.size());
            }
            errors.forEach(error -> newest.add(json(component, error)));
        });
        newest.sort(Comparator.comparing(error -> (String) error.get("time")));
        return Map.of("name", info.get_name(), "counts", kept, "newest", newest);
    }

    /** Describes an error, with its stack. */
    static Map<String, Object> withStack(String component, ErrorInfo error) {
        Map<String, Object> json = json(component, error);
        json.put("stack", error.get_error().lines().toList());
        return json;
    }

    private static Map<String, Object> json(String component, ErrorInfo error) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", time(error).toString());
        json.put("component", component);
        json.put("worker", worker(error));
        json.put("error", message(error));
        json.put("line", line(component, error));
        return json;
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
