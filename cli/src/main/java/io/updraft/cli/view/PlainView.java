package io.updraft.cli.view;

import java.io.PrintStream;
import java.time.ZoneId;
import java.util.List;

/** Prints a line for each new error and, unless it is quiet, one for each topology and interval. */
final class PlainView implements TopologyView {
    private final PrintStream out;
    private final boolean quiet;
    private final NewErrorLines errors;

    PlainView(PrintStream out, boolean quiet, ZoneId zone) {
        this.out = out;
        this.quiet = quiet;
        this.errors = new NewErrorLines(zone);
    }

    @Override
    public synchronized void show(List<TopologySample> samples) {
        for (TopologySample sample : samples) {
            errors.of(sample).forEach(out::println);
            if (!quiet) {
                out.println(PlainLine.of(sample));
            }
        }
    }

    @Override
    public synchronized void print(String line) {
        out.println(line);
    }

    @Override
    public void close() {}
}
