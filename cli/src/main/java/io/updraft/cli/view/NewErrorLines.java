package io.updraft.cli.view;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
}
