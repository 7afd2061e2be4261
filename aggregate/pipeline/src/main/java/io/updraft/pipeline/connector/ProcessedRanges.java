package io.updraft.pipeline.connector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a partition that need no processing when its records are read again: a final result contains them, or they were late.
 * Consists of stretches of positions, each with a time; it covers the rows of these positions whose windows all end at or
 * before this time. Immutable.
 *
 * @param stretches in the order of their positions, without overlap
 * @param windows a word for the windows to which the times apply, without {@code ;} and blanks; empty if unknown. For other
 *     windows the stretches are void
 */
public record ProcessedRanges(List<Range> stretches, String windows) {

    /** No rows. */
    public static final ProcessedRanges NONE = new ProcessedRanges(List.of(), "");

    private static final char END_OF_WINDOWS = ';';

    /** The time of stretches that the current run has processed: the time up to which windows are closed is not known yet. */
    private static final long THIS_RUN = Long.MAX_VALUE;

    /**
     * A stretch of positions.
     *
     * @param until covers windows that end at or before this time, in milliseconds since 1970
     * @param written the written results of windows that end at or before this time contain the rows; no earlier than {@code
     *     until}. Windows that end between the two times still accept rows
     */
    public record Range(long from, long to, long until, long written) {

        /** Returns a stretch of positions that this run has processed. */
        private static Range handled(long from, long to) {
            return new Range(from, to, THIS_RUN, Long.MIN_VALUE);
        }

        private String text() {
            return from + "-" + to + ":" + until + (written > until ? ":" + written : "");
        }
    }

    /** Copies the stretches. */
    public ProcessedRanges {
        stretches = List.copyOf(stretches);
    }

    /** Returns the same rows, for the windows that a word stands for. */
    public ProcessedRanges of(String word) {
        return new ProcessedRanges(stretches, word);
    }

    /** Returns whether a record that gave no row is covered: its mistake was reported before. */
    public boolean covers(long position) {
        return covers(position, Long.MIN_VALUE);
    }

    /** Returns whether a row is covered, by its position and the end of its last window. */
    public boolean covers(long position, long lastEnd) {
        Range stretch = stretchAt(position);
        return stretch != null && lastEnd <= stretch.until;
    }

    /**
     * Returns the time up to which the written results of ended windows contain the rows of a position; {@link Long#MIN_VALUE}
     * if that is unknown.
     */
    public long writtenUntil(long position) {
        Range stretch = stretchAt(position);
        return stretch == null ? Long.MIN_VALUE : stretch.written;
    }

    /** Returns the stretch that contains a position; null if none does. */
    private Range stretchAt(long position) {
        int low = 0;
        int high = stretches.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stretches.get(middle).to <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < stretches.size() && stretches.get(low).from <= position ? stretches.get(low) : null;
    }

    /** Returns these rows and a stretch that this run has processed. A {@link Collector} takes many stretches. */
    public ProcessedRanges handled(long from, long to) {
        return from < to ? handled(new ProcessedRanges(List.of(Range.handled(from, to)), windows)) : this;
    }

    /** Returns these rows, which this run has processed, as contained in the results of all windows that it has closed. */
    public ProcessedRanges written() {
        return new ProcessedRanges(
                stretches.stream()
                        .map(each -> new Range(each.from, each.to, each.until, THIS_RUN))
                        .toList(),
                windows);
    }

    /**
     * Returns these rows and the stretches of {@code more}, which this run has processed and which replace those at their
     * positions. What is written stays written. Takes one step for each stretch.
     */
    public ProcessedRanges handled(ProcessedRanges more) {
        List<Range> both = new ArrayList<>(stretches.size() + more.stretches.size());
        long next = Long.MIN_VALUE;
        int before = 0;
        for (Range stretch : more.stretches) {
            for (; before < stretches.size() && stretches.get(before).to <= stretch.from; before++) {
                addFrom(next, stretches.get(before), both);
            }
            if (before < stretches.size()) {
                Range cut = stretches.get(before);
                add(both, cut, Math.max(cut.from, next), Math.min(cut.to, stretch.from));
            }
            addReplacing(before, stretch, both);
            next = stretch.to;
        }
        for (Range rest : stretches.subList(before, stretches.size())) {
            addFrom(next, rest, both);
        }
        return new ProcessedRanges(both, windows);
    }

    private static void addFrom(long position, Range stretch, List<Range> ranges) {
        add(ranges, stretch, Math.max(stretch.from, position), stretch.to);
    }

    /** Adds a stretch, with the written times of those of this object, from an index on, that it replaces. */
    private void addReplacing(int first, Range stretch, List<Range> ranges) {
        long next = stretch.from;
        for (int i = first; i < stretches.size() && stretches.get(i).from < stretch.to; i++) {
            Range each = stretches.get(i);
            if (each.written > stretch.written) {
                long from = Math.max(each.from, next);
                long to = Math.min(each.to, stretch.to);
                add(ranges, stretch, next, from);
                add(ranges, new Range(from, to, stretch.until, each.written), from, to);
                next = to;
            }
        }
        add(ranges, stretch, next, stretch.to);
    }

    /** Adds a part of a stretch, if it is not empty. */
    private static void add(List<Range> ranges, Range range, long from, long to) {
        if (from >= to) {
            return;
        }
        Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
        if (last != null && last.to == from && last.until == range.until && last.written == range.written) {
            ranges.set(ranges.size() - 1, new Range(last.from, to, range.until, range.written));
        } else {
            boolean whole = from == range.from && to == range.to;
            ranges.add(whole ? range : new Range(from, to, range.until, range.written));
        }
    }

    /** Returns the rows from a position on. */
    public ProcessedRanges from(long position) {
        if (stretches.isEmpty() || stretches.get(0).from >= position) {
            return this;
        }
        List<Range> rest = new ArrayList<>();
        stretches.forEach(each -> add(rest, each, Math.max(each.from, position), each.to));
        return new ProcessedRanges(rest, windows);
    }

    /** Returns the rows before a position. */
    public ProcessedRanges before(long position) {
        List<Range> rest = new ArrayList<>();
        stretches.forEach(each -> add(rest, each, each.from, Math.min(each.to, position)));
        return new ProcessedRanges(rest, windows);
    }

    /** Returns the position after the last stretch; {@link Long#MIN_VALUE} if there is none. */
    public long end() {
        return stretches.isEmpty() ? Long.MIN_VALUE : stretches.get(stretches.size() - 1).to;
    }

    /**
     * Returns these rows with the times up to which this run has closed windows; {@link Long#MIN_VALUE} if it has closed none.
     *
     * @param time windows that end at or before this time accept no more rows
     * @param written the results of windows that end at or before this time were written
     */
    public ProcessedRanges closedUntil(long time, long written) {
        List<Range> ranges = new ArrayList<>();
        for (Range each : stretches) {
            long until = each.until == THIS_RUN ? time : each.until;
            long writtenUntil = Math.max(until, each.written == THIS_RUN ? written : each.written);
            add(ranges, new Range(each.from, each.to, until, writtenUntil), each.from, each.to);
        }
        return new ProcessedRanges(ranges, windows);
    }

    /** Returns these rows with the time up to which this run has closed windows, none of which accepts more rows. */
    public ProcessedRanges closedUntil(long time) {
        return closedUntil(time, time);
    }

    /**
     * Returns the rows as text without blanks; empty if there are none. Beyond {@code most} characters, leaves out which windows
     * are written but not final, so that these are written again, and then stretches.
     */
    public String text(int most) {
        String whole = textUpTo(Integer.MAX_VALUE);
        return whole.length() <= most ? whole : finalOnly().textUpTo(most);
    }

    private ProcessedRanges finalOnly() {
        List<Range> ranges = new ArrayList<>();
        stretches.forEach(
                each -> add(ranges, new Range(each.from, each.to, each.until, each.until), each.from, each.to));
        return new ProcessedRanges(ranges, windows);
    }

    private String textUpTo(int most) {
        if (windows.length() >= most) {
            return "";
        }
        StringBuilder text = new StringBuilder(windows.isEmpty() ? "" : windows + END_OF_WINDOWS);
        int begin = text.length();
        for (Range each : stretches) {
            String next = (text.length() == begin ? "" : ",") + each.text();
            if (text.length() + next.length() > most) {
                break;
            }
            text.append(next);
        }
        return text.toString();
    }

    /** Returns the rows as text without blanks; empty if there are none. */
    public String text() {
        return text(Integer.MAX_VALUE);
    }

    /**
     * Parses the output of {@link #text}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static ProcessedRanges parse(String text) {
        int end = text.indexOf(END_OF_WINDOWS);
        String rest = text.substring(end + 1);
        List<Range> stretches = new ArrayList<>();
        for (String each : rest.isEmpty() ? new String[0] : rest.split(",")) {
            int dash = each.indexOf('-');
            int colon = each.indexOf(':');
            if (dash < 0 || colon < dash) {
                throw new IllegalArgumentException("not from-to:until or from-to:until:written: " + each);
            }
            int second = each.indexOf(':', colon + 1);
            String until = each.substring(colon + 1, second < 0 ? each.length() : second);
            stretches.add(new Range(
                    Long.parseLong(each.substring(0, dash)),
                    Long.parseLong(each.substring(dash + 1, colon)),
                    Long.parseLong(until),
                    Long.parseLong(second < 0 ? until : each.substring(second + 1))));
        }
        return new ProcessedRanges(stretches, end < 0 ? "" : text.substring(0, end));
    }

    /**
     * Collects stretches that this run has processed. A stretch after all others, as they usually come, takes one step however many
     * there are: a task that reads every second chunk of a large file has many. Not thread-safe.
     */
    public static final class Collector {

        private static final long[] NO_BOUNDS = {};

        /** The first position of each stretch and the position after its last one, in order. No two stretches touch. */
        private long[] bounds = NO_BOUNDS;

        private int length;

        /** Adds a stretch, which may overlap others. */
        public void add(long from, long to) {
            if (from >= to) {
                return;
            }
            int first = length;
            while (first > 0 && bounds[first - 1] >= from) {
                first -= 2;
            }
            int rest = first;
            long begin = from;
            long end = to;
            for (; rest < length && bounds[rest] <= to; rest += 2) {
                begin = Math.min(begin, bounds[rest]);
                end = Math.max(end, bounds[rest + 1]);
            }
            replace(first, rest, begin, end);
        }

        private void replace(int first, int rest, long from, long to) {
            if (first == rest && length == bounds.length) {
                bounds = Arrays.copyOf(bounds, Math.max(4, length * 2));
            }
            System.arraycopy(bounds, rest, bounds, first + 2, length - rest);
            bounds[first] = from;
            bounds[first + 1] = to;
            length += first + 2 - rest;
        }

        /** Returns whether there are no stretches. */
        public boolean isEmpty() {
            return length == 0;
        }

        /** Removes the rows before a position, and returns them. */
        public ProcessedRanges takeBefore(long position) {
            List<Range> taken = new ArrayList<>();
            int rest = 0;
            for (; rest < length && bounds[rest + 1] <= position; rest += 2) {
                taken.add(Range.handled(bounds[rest], bounds[rest + 1]));
            }
            if (rest < length && bounds[rest] < position) {
                taken.add(Range.handled(bounds[rest], position));
                bounds[rest] = position;
            }
            bounds = rest == length ? NO_BOUNDS : Arrays.copyOfRange(bounds, rest, length);
            length -= rest;
            return taken.isEmpty() ? NONE : new ProcessedRanges(taken, "");
        }
    }
}
