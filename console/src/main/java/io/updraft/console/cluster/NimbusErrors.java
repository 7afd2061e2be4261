package io.updraft.console.cluster;

import io.updraft.base.text.OneLine;
import io.updraft.observe.view.ErrorView;
import io.updraft.observe.view.ErrorsView;
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
final class NimbusErrors {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private static final Pattern WRAPPERS =
            Pattern.compile("^(java\\.lang\\.RuntimeException: )+(?=[\\w.$]+(Exception|Error)(: |$))");

    private NimbusErrors() {}

    /** Describes the errors of all components, the oldest first. */
    static ErrorsView topology(TopologyInfo info) {
        Map<String, Long> kept = new TreeMap<>();
        List<ErrorView> newest = new ArrayList<>();
        info.get_errors().forEach((component, errors) -> {
            if (!errors.isEmpty()) {
                kept.put(component, (long) errors.size());
            }
            errors.forEach(error -> newest.add(of(component, error, false)));
        });
        newest.sort(Comparator.comparing(ErrorView::time));
        return new ErrorsView(info.get_name(), false, kept, newest);
    }

    /** Describes an error, with its stack or without. */
    static ErrorView of(String component, ErrorInfo error, boolean withStack) {
        return new ErrorView(
                time(error),
                1,
                component,
                null,
                worker(error),
                null,
                message(error),
                null,
                line(component, error),
                withStack ? error.get_error().lines().toList() : null);
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
