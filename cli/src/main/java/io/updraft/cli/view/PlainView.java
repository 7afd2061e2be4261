package io.updraft.cli.view;

import java.io.PrintStream;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One line for each topology and interval, and one for each error that is new. */
final class PlainView implements View {
    private final PrintStream out;
    private final ZoneId zone;
    private final Map<String, NewErrors> errors = new HashMap<>();

    PlainView(PrintStream out, ZoneId zone) {
        this.out = out;
        this.zone = zone;
    }

    @Override
    public synchronized void show(List<Sample> samples) {
        for (Sample sample : samples) {
            errors.computeIfAbsent(sample.name(), name -> new NewErrors())
                    .among(sample.now().recentErrors())
                    .forEach(error -> out.println("error " + ErrorLine.of(error, zone)));
            out.println(PlainLine.of(sample));
        }
    }

    @Override
    public synchronized void tell(String line) {
        out.println(line);
    }

    @Override
    public void close() {}
}
