package io.updraft.cli.progress;

import io.updraft.cli.terminal.TerminalBlock;
import io.updraft.cli.terminal.TerminalLine;
import io.updraft.cli.terminal.TerminalSize;
import io.updraft.cli.view.ViewMode;
import io.updraft.pipeline.PipelineProgress;
import java.io.PrintStream;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a pipeline. On a terminal, a bar, with other output above it; else a line on standard error every 10
 * seconds. Safe to use from any thread.
 */
public final class ProgressView implements AutoCloseable {
    /** The time between two plain lines, over which their rate is measured. */
    private static final long PLAIN_NANOS = 10_000_000_000L;

    /** The time over which the rate beside a bar is measured. */
    private static final long LIVE_NANOS = 500_000_000L;

    private final String name;
    private final PrintStream realErr;
    private final LongSupplier clock;
    private final boolean quiet;
    private final TerminalBlock screen;
    private final int columns;
    private final long begun;
    private long ratedNanos;
    private long ratedRecords;
    private double rate;

    /** Creates a view. The clock returns nanoseconds. */
    ProgressView(String name, boolean live, boolean quiet, PrintStream realErr, LongSupplier clock) {
        this.realErr = realErr;
        this.clock = clock;
        begun = clock.getAsLong();
        ratedNanos = begun;
        this.name = name;
        this.quiet = quiet;
        columns = live ? TerminalSize.ask().columns() : 0;
        screen = live ? new TerminalBlock(realErr, false, columns) : null;
        if (live) {
            screen.captureOutput();
        }
    }

    public static ProgressView open(ViewMode mode, String name) {
        boolean live = mode == ViewMode.LIVE || mode == ViewMode.AUTO && ViewMode.isTerminal();
        return new ProgressView(name, live, mode == ViewMode.NONE, System.err, System::nanoTime);
    }

    public synchronized void show(PipelineProgress now) {
        long time = clock.getAsLong();
        boolean isDue = time - ratedNanos >= (screen != null ? LIVE_NANOS : PLAIN_NANOS);
        if (isDue) {
            rate = (now.records() - ratedRecords) * 1e9 / (time - ratedNanos);
            ratedNanos = time;
            ratedRecords = now.records();
        }
        if (screen != null) {
            screen.draw(List.of(TerminalLine.plain(ProgressLine.bar(now, rate, time - begun, columns - 1))), columns);
        } else if (!quiet && isDue) {
            realErr.println(name + " " + ProgressLine.text(now, rate, time - begun));
        }
    }

    /** Prints one line that stays on the screen. */
    public synchronized void print(String line) {
        (screen == null ? realErr : System.err).println(line);
    }

    /** Removes the bar and prints the summary. */
    public synchronized void end(PipelineProgress end) {
        close();
        if (!quiet) {
            realErr.println(ProgressLine.summary(name, end, clock.getAsLong() - begun));
        }
    }

    @Override
    public synchronized void close() {
        if (screen != null) {
            screen.close();
        }
    }
}
