package io.updraft.cli.view;

import java.io.PrintStream;
import java.time.ZoneId;
import java.util.List;

/** Prints a line for each new error and, unless it is quiet, one for each topology and interval. */
final class PlainView implements View {
    private final PrintStream out;
    private final boolean quiet;
    private final ErrorLines errors;

    PlainView(PrintStream out, boolean quiet, ZoneId zone) {
        this.out = out;
        this.quiet = quiet;
        this.errors = new ErrorLines(zone);
    }

    @Override
    public synchronized void show(List<Sample> samples) {
        for (Sample sample : samples) {
            errors.of(sample).forEach(out::println);
            if (!quiet) {
                out.println(PlainLine.of(sample));
            }
        }
    }

    @Override
    public synchronized void tell(String line) {
        out.println(line);
    }

    @Override
    public void close() {}
}
