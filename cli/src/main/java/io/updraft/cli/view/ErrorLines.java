package io.updraft.cli.view;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a line for each new error of a topology. Not thread-safe: one thread at a time. */
final class ErrorLines {
    private final ZoneId zone;
    private final Map<String, NewErrors> errors = new HashMap<>();

    ErrorLines(ZoneId zone) {
        this.zone = zone;
    }

    /** {@return the lines of the new errors, oldest first} */
    List<String> of(Sample sample) {
        return errors
                .computeIfAbsent(sample.name(), name -> new NewErrors())
                .among(sample.now().recentErrors())
                .stream()
                .map(error -> "error " + ErrorLine.of(error, zone))
                .toList();
    }
}
