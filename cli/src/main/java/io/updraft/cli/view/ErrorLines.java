package io.updraft.cli.view;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A line for each error of a topology that is new. For one thread at a time. */
final class ErrorLines {
    private final ZoneId zone;
    private final Map<String, NewErrors> errors = new HashMap<>();

    ErrorLines(ZoneId zone) {
        this.zone = zone;
    }

    /** {@return the lines, oldest first} */
    List<String> of(Sample sample) {
        return errors
                .computeIfAbsent(sample.name(), name -> new NewErrors())
                .among(sample.now().recentErrors())
                .stream()
                .map(error -> "error " + ErrorLine.of(error, zone))
                .toList();
    }
}
