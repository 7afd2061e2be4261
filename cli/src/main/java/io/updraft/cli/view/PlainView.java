package io.updraft.cli.view;

import java.io.PrintStream;
import java.time.ZoneId;
import java.util.List;

/** Prints one line for each topology and interval, and one for each new error. */
final class PlainView implements View {
    private final PrintStream out;
    private final ErrorLines errors;

    PlainView(PrintStream out, ZoneId zone) {
        this.out = out;
        this.errors = new ErrorLines(zone);
    }

    @Override
    public synchronized void show(List<Sample> samples) {
        for (Sample sample : samples) {
            errors.of(sample).forEach(out::println);
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
