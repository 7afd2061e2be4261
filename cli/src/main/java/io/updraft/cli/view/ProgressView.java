package io.updraft.cli.view;

import io.updraft.base.text.VisibleText;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.observe.view.QuantityFormat;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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
    private PipelineProgress last;

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
        last = now;
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
            realErr.println(VisibleText.of(name + " " + ProgressLine.text(now, rate, time - begun)));
        }
    }

    /** {@return the last progress that was shown, as one line} */
    public synchronized String line() {
        return last == null ? "" : ProgressLine.text(last, rate, clock.getAsLong() - begun);
    }

    /** Prints one line that stays on the screen. */
    public synchronized void print(String line) {
        (screen == null ? realErr : System.err).println(VisibleText.of(line));
    }

    /** Removes the bar and prints the summary. */
    public synchronized void end(PipelineProgress end) {
        close();
        if (!quiet) {
            realErr.println(VisibleText.of(ProgressLine.summary(name, end, clock.getAsLong() - begun)));
        }
    }

    @Override
    public synchronized void close() {
        if (screen != null) {
            screen.close();
        }
    }

    /** Formats the progress of a pipeline as a line of text. */
    static final class ProgressLine {
        private static final double NANOS_PER_SECOND = 1e9;
        private static final int MIN_BAR = 8;
        private static final int MAX_BAR = 30;

        private ProgressLine() {}

        /**
         * Returns a progress bar with text, or only the text if the end of the input is unknown or the terminal is narrow. The rate
         * is in records per second, the time in nanoseconds since the start.
         */
        static String bar(PipelineProgress now, double rate, long nanos, int columns) {
            String text = text(now, rate, nanos);
            double share = share(now);
            int width = Math.min(MAX_BAR, columns - text.length() - 3);
            if (share < 0 || width < MIN_BAR) {
                return TerminalLine.fit(text, columns);
            }
            int full = (int) Math.round(share * width);
            return "[" + "#".repeat(full) + "-".repeat(width - full) + "] " + text;
        }

        static String text(PipelineProgress now, double rate, long nanos) {
            List<String> parts = new ArrayList<>();
            double share = share(now);
            if (share >= 0) {
                parts.add(QuantityFormat.percent(share));
            }
            parts.add(QuantityFormat.count(now.records()) + " records");
            parts.add(QuantityFormat.count(rate) + "/s");
            long lag = now.sources().stream()
                    .mapToLong(source -> Math.max(0, source.lag()))
                    .sum();
            if (lag > 0 && share < 0) {
                parts.add("lag " + QuantityFormat.count(lag) + " "
                        + now.sources().get(0).unit());
            }
            addIfAny(parts, now.rejected(), " rejected");
            addIfAny(parts, now.late(), " late");
            addIfAny(parts, now.duplicates(), " duplicates");
            addIfAny(parts, now.overflows(), " overflowed");
            if (now.route() == null) {
                parts.add(QuantityFormat.count(now.windows()) + " windows written");
            } else {
                parts.addAll(routed(now.route()));
            }
            return QuantityFormat.clock(nanos) + " " + String.join(", ", parts) + remaining(share, nanos);
        }

        // Names the count of each cluster if there are several clusters.
        private static List<String> routed(PipelineProgress.Route route) {
            List<String> parts = new ArrayList<>();
            String each = route.delivered().size() < 2
                    ? ""
                    : route.delivered().entrySet().stream()
                            .map(cluster -> cluster.getKey() + " " + QuantityFormat.count(cluster.getValue()))
                            .collect(Collectors.joining(", ", " (", ")"));
            long delivered = route.delivered().values().stream()
                    .mapToLong(count -> count)
                    .sum();
            parts.add(QuantityFormat.count(delivered) + " routed" + each);
            addIfAny(parts, route.waiting(), " waiting");
            addIfAny(parts, route.rerouted(), " sent again");
            addIfAny(parts, route.failed(), " given up");
            return parts;
        }

        private static void addIfAny(List<String> parts, long count, String noun) {
            if (count > 0) {
                parts.add(QuantityFormat.count(count) + noun);
            }
        }

        // Estimates the time left from the time that the finished share has taken.
        private static String remaining(double share, long nanos) {
            if (share < 0.005 || share >= 1 || nanos < NANOS_PER_SECOND) {
                return "";
            }
            return ", " + QuantityFormat.clock((long) (nanos / share * (1 - share))) + " left";
        }

        /** Returns the share of the input that is done, from 0 to 1; -1 if the size of the input is unknown. */
        private static double share(PipelineProgress now) {
            long done = 0;
            long total = 0;
            for (SourceProgress source : now.sources()) {
                if (source.total() < 0) {
                    return -1;
                }
                done += source.done();
                total += source.total();
            }
            return now.sources().isEmpty() ? -1 : total == 0 ? 1 : Math.min(1, (double) done / total);
        }

        static String summary(String name, PipelineProgress end, long nanos) {
            double seconds = Math.max(1e-9, nanos / NANOS_PER_SECOND);
            String read = String.format(
                    Locale.ROOT,
                    "%s ran %.1f s: %s records (%s/s), %s rows, %s rejected",
                    name,
                    seconds,
                    QuantityFormat.whole(end.records()),
                    QuantityFormat.count(end.records() / seconds),
                    QuantityFormat.whole(end.rows()),
                    QuantityFormat.whole(end.rejected()));
            if (end.route() != null) {
                return read + "; " + String.join(", ", routed(end.route()));
            }
            return read + ", " + QuantityFormat.whole(end.late()) + " late" + duplicates(end) + "; "
                    + QuantityFormat.whole(end.windows())
                    + " windows with "
                    + QuantityFormat.whole(end.groups()) + " groups written"
                    + (end.overflows() == 0 ? "" : ", " + QuantityFormat.whole(end.overflows()) + " overflowed");
        }

        private static String duplicates(PipelineProgress end) {
            return (end.duplicates() == 0 ? "" : ", " + QuantityFormat.whole(end.duplicates()) + " duplicates")
                    + (end.forgottenIds() == 0
                            ? ""
                            : ", " + QuantityFormat.whole(end.forgottenIds()) + " ids forgotten early");
        }
    }
}
