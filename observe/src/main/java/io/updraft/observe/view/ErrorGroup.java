package io.updraft.observe.view;

import io.updraft.engine.snapshot.ErrorReport;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Failures that differ only in their task and time.
 *
 * @param count how many there are
 */
record ErrorGroup(ErrorReport newest, int count) {
    /** {@return the groups of these failures, the one with the oldest newest failure first} */
    static List<ErrorGroup> of(List<ErrorReport> errors) {
        Map<String, ErrorGroup> groups = new LinkedHashMap<>();
        for (ErrorReport error : errors) {
            // Puts the group at the end: the order is that of the newest failures.
            ErrorGroup before = groups.remove(ErrorLine.kind(error));
            groups.put(ErrorLine.kind(error), new ErrorGroup(error, before == null ? 1 : before.count + 1));
        }
        return List.copyOf(groups.values());
    }

    /** {@return the newest failure in one line, with the number of all} */
    String line(ZoneId zone) {
        return ErrorLine.of(newest, zone) + (count == 1 ? "" : "; " + count + " times");
    }
}
