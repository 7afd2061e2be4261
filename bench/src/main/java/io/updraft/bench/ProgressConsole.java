package io.updraft.bench;

import io.updraft.bench.spec.ProgressRow;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;

/** Prints progress: notes, and rows in the format of Yahoo's storm-perf-test. */
final class ProgressConsole {

    private static final double MEGABYTE = 1 << 20;

    private final PrintWriter out;

    ProgressConsole(PrintWriter out) {
        this.out = out;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Prints the start of a line that the next {@link #say} completes. */
    void begin(String text) {
        out.print(text);
        out.flush();
    }

    /** {@return a consumer that prints a run's rows, with a header before the first} */
    Consumer<ProgressRow> rows(int messageSize) {
        return new Consumer<>() {
            private boolean headed;

            @Override
            public void accept(ProgressRow row) {
                if (!headed) {
                    say("\nstatus\ttasks\ttime ms\ttime-diff ms\ttransferred\ttransferred/s\tthroughput (MB/s)"
                            + "\tacked/s\tfailed\tin flight");
                    headed = true;
                }
                say(line(row, messageSize));
            }
        };
    }

    static String line(ProgressRow row, int messageSize) {
        double seconds = row.diffMillis() / 1e3;
        double perSecond = row.counts().transferred() / seconds;
        return String.format(
                Locale.ROOT,
                "%s\t%d\t%d\t%d\t%d\t%.0f\t%.2f\t%.0f\t%d\t%d",
                row.status(),
                row.tasks(),
                row.timeMillis(),
                row.diffMillis(),
                row.counts().transferred(),
                perSecond,
                perSecond * messageSize / MEGABYTE,
                row.counts().acked() / seconds,
                row.counts().failed(),
                row.inFlight());
    }
}
