package io.updraft.cli.view;

import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.view.ErrorLine;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a line for each new error of a topology. Not thread-safe: one thread at a time. */
final class NewErrorLines {
    private final ZoneId zone;
    private final Map<String, ErrorRepeatFilter> errors = new HashMap<>();

    NewErrorLines(ZoneId zone) {
        this.zone = zone;
    }

    /** {@return the lines of the new errors, oldest first} */
    List<String> of(TopologySample sample) {
        return errors
                .computeIfAbsent(sample.name(), name -> new ErrorRepeatFilter())
                .among(sample.now().recentErrors())
                .stream()
                .map(error -> "error " + ErrorLine.of(error, zone))
                .toList();
    }

    /** Selects the recent errors to report: new ones, and a repeated one once a minute. */
    static final class ErrorRepeatFilter {
        private static final long REPEAT_MILLIS = 60_000;
        private static final int MAX_REMEMBERED = 256;

        private Set<ErrorReport> last = Set.of();
        private final Map<String, Long> lastReports = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > MAX_REMEMBERED;
            }
        };

        /** {@return the errors to report, oldest first} */
        List<ErrorReport> among(List<ErrorReport> recent) {
            List<ErrorReport> fresh = new ArrayList<>();
            for (ErrorReport report : recent) {
                if (!last.contains(report) && isDue(report)) {
                    fresh.add(report);
                }
            }
            last = Collections.newSetFromMap(new IdentityHashMap<>());
            last.addAll(recent);
            return fresh;
        }

        private boolean isDue(ErrorReport report) {
            String kind = ErrorLine.kind(report);
            Long before = lastReports.get(kind);
            if (before != null && report.timeMillis() - before < REPEAT_MILLIS) {
                return false;
            }
            lastReports.remove(kind);
            lastReports.put(kind, report.timeMillis());
            return true;
        }
    }
}
