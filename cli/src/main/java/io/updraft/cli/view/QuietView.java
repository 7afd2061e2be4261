package io.updraft.cli.view;

import java.io.PrintStream;
import java.util.List;

/** Shows nothing, tells what it must. */
final class QuietView implements View {
    private final PrintStream out;

    QuietView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(List<Sample> samples) {}

    @Override
    public void tell(String line) {
        out.println(line);
    }

    @Override
    public void close() {}
}
