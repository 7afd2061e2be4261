package io.updraft.pipeline.source;

import java.util.ArrayList;
import java.util.List;

/**
 * Which rows of a unit need no looking at when its records are read again: they are in a result that was written for good, or were late
 * then. Stretches of positions, each with a time: rows of these positions whose windows all end at or before it. Immutable.
 *
 * @param stretches in the order of their positions, none of which overlap
 * @param windows a word for the windows that the times are of, without {@code ;} and blanks; empty if that is not known. Of other windows
 *     these stretches say nothing
 */
public record Seen(List<Stretch> stretches, String windows) {

    /** No rows. */
    public static final Seen NONE = new Seen(List.of(), "");

    private static final char END_OF_WINDOWS = ';';

    /** In place of a time, for what the run that is under way has handled: the time up to which windows are closed is not known yet. */
    private static final long THIS_RUN = Long.MAX_VALUE;

    /**
     * Positions.
     *
     * @param from the first
     * @param to the one after the last
     * @param until windows that end at or before this, milliseconds since 1970
     */
    public record Stretch(long from, long to, long until) {}

    /** Copies the stretches. */
    public Seen {
        stretches = List.copyOf(stretches);
    }

    /** The same rows, of windows that a word stands for. */
    public Seen of(String word) {
        return new Seen(stretches, word);
    }

    /** Whether a record of a position is one of them that gave no row: it was told then what is wrong with it. */
    public boolean covers(long position) {
        return covers(position, Long.MIN_VALUE);
    }

    /** Whether a row of a position, whose windows end at {@code lastEnd} or before, is one of them. */
    public boolean covers(long position, long lastEnd) {
        for (Stretch each : stretches) {
            if (position < each.to) {
                return position >= each.from && lastEnd <= each.until;
            }
        }
        return false;
    }

    /** These, and the positions of a stretch that this run has handled. */
    public Seen handled(long from, long to) {
        return from < to ? with(new Stretch(from, to, THIS_RUN)) : this;
    }

    /** These, and what another says this run has handled. */
    public Seen handled(Seen more) {
        Seen both = this;
        for (Stretch each : more.stretches) {
            both = both.handled(each.from, each.to);
        }
        return both;
    }

    /** These, with a stretch in place of what they say of its positions. */
    private Seen with(Stretch stretch) {
        List<Stretch> all = new ArrayList<>();
        stretches.forEach(each -> add(all, each.from, Math.min(each.to, stretch.from), each.until));
        add(all, stretch.from, stretch.to, stretch.until);
        stretches.forEach(each -> add(all, Math.max(each.from, stretch.to), each.to, each.until));
        return new Seen(all, windows);
    }

    private static void add(List<Stretch> all, long from, long to, long until) {
        if (from >= to) {
            return;
        }
        Stretch last = all.isEmpty() ? null : all.get(all.size() - 1);
        if (last != null && last.to == from && last.until == until) {
            all.set(all.size() - 1, new Stretch(last.from, to, until));
        } else {
            all.add(new Stretch(from, to, until));
        }
    }

    /** Those from a position on. */
    public Seen from(long position) {
        if (stretches.isEmpty() || stretches.get(0).from >= position) {
            return this;
        }
        List<Stretch> rest = new ArrayList<>();
        stretches.forEach(each -> add(rest, Math.max(each.from, position), each.to, each.until));
        return new Seen(rest, windows);
    }

    /** Those before a position. */
    public Seen before(long position) {
        List<Stretch> rest = new ArrayList<>();
        stretches.forEach(each -> add(rest, each.from, Math.min(each.to, position), each.until));
        return new Seen(rest, windows);
    }

    /** The position after the last; {@link Long#MIN_VALUE} if there are none. */
    public long end() {
        return stretches.isEmpty() ? Long.MIN_VALUE : stretches.get(stretches.size() - 1).to;
    }

    /** These, when windows that end at or before a time have been closed by this run; {@link Long#MIN_VALUE} if none have. */
    public Seen closedUntil(long time) {
        List<Stretch> all = new ArrayList<>();
        for (Stretch each : stretches) {
            add(all, each.from, each.to, each.until == THIS_RUN ? time : each.until);
        }
        return new Seen(all, windows);
    }

    /** As text without blanks; empty if there are none. What would make it longer than {@code most} characters is left out. */
    public String text(int most) {
        if (windows.length() >= most) {
            return "";
        }
        StringBuilder text = new StringBuilder(windows.isEmpty() ? "" : windows + END_OF_WINDOWS);
        int begin = text.length();
        for (Stretch each : stretches) {
            String next = (text.length() == begin ? "" : ",") + each.from + "-" + each.to + ":" + each.until;
            if (text.length() + next.length() > most) {
                break;
            }
            text.append(next);
        }
        return text.toString();
    }

    /** As text without blanks; empty if there are none. */
    public String text() {
        return text(Integer.MAX_VALUE);
    }

    /**
     * What {@link #text} has written.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static Seen parse(String text) {
        int end = text.indexOf(END_OF_WINDOWS);
        String rest = text.substring(end + 1);
        List<Stretch> stretches = new ArrayList<>();
        for (String each : rest.isEmpty() ? new String[0] : rest.split(",")) {
            int dash = each.indexOf('-');
            int colon = each.indexOf(':');
            if (dash < 0 || colon < dash) {
                throw new IllegalArgumentException("not from-to:until: " + each);
            }
            stretches.add(new Stretch(
                    Long.parseLong(each.substring(0, dash)),
                    Long.parseLong(each.substring(dash + 1, colon)),
                    Long.parseLong(each.substring(colon + 1))));
        }
        return new Seen(stretches, end < 0 ? "" : text.substring(0, end));
    }
}
