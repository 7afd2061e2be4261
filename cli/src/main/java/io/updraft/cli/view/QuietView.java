package io.updraft.cli.view;

import java.io.PrintStream;
import java.time.ZoneId;
import java.util.List;

/** Prints only new errors and the lines given to {@link #tell}. */
final class QuietView implements View {
    private final PrintStream out;
    private final ErrorLines errors;

    QuietView(PrintStream out, ZoneId zone) {
        this.out = out;
        this.errors = new ErrorLines(zone);
    }

    @Override
    public synchronized void show(List<Sample> samples) {
        samples.forEach(sample -> errors.of(sample).forEach(out::println));
    }

    @Override
    public synchronized void tell(String line) {
        out.println(line);
    }

    @Override
    public void close() {}
}
