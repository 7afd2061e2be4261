package io.updraft.timeseries.query;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The windows of a time zone, each known by its start. Times are milliseconds since 1970. Windows of a calendar are those of the
 * 146 million years before and after. Immutable; any thread.
 */
public abstract class WindowGrid {

    private WindowGrid() {}

    static WindowGrid fixed(long size, long slide) {
        return new FixedGrid(size, slide);
    }

    static WindowGrid of(WindowCalendar calendar, ZoneId zone) {
        return new CalendarGrid(calendar, zone);
    }

    /** Returns the start of the latest window that contains a time. */
    public abstract long start(long time);

    /** Returns the start of the window after the one with this start. Each start is also the end of a window. */
    public abstract long next(long start);

    /** Returns the start of the window before the one with this start. */
    public abstract long previous(long start);

    /** Returns the end of the window with this start. No earlier window ends later. */
    public abstract long end(long start);

    /** Returns the first time after a time at which a window ends. */
    public final long nextEnd(long time) {
        return next(start(time));
    }

    private static final class FixedGrid extends WindowGrid {

        private final long size;
        private final long slide;

        FixedGrid(long size, long slide) {
            this.size = size;
            this.slide = slide;
        }

        @Override
        public long start(long time) {
            return Math.floorDiv(time, slide) * slide;
        }

        @Override
        public long next(long start) {
            return start + slide;
        }

        @Override
        public long previous(long start) {
            return start - slide;
        }

        @Override
        public long end(long start) {
            return start + size;
        }
    }

    /**
     * Windows of local days. A day begins at its first instant: at 01:00 where clocks skip midnight, and at the first of two
     * midnights. A day that a zone has skipped has no window.
     */
    private static final class CalendarGrid extends WindowGrid {

        private static final long LAST = Long.MAX_VALUE / 2;

        private final CalendarUnit unit;
        private final CalendarUnit slide;
        private final ZoneId zone;

        CalendarGrid(WindowCalendar calendar, ZoneId zone) {
            this.unit = calendar.unit();
            this.slide = calendar.slide();
            this.zone = zone;
        }

        private long instant(LocalDate day) {
            return day.atStartOfDay(zone).toInstant().toEpochMilli();
        }

        private LocalDate first(long time) {
            return slide.first(LocalDate.ofInstant(Instant.ofEpochMilli(time), zone));
        }

        @Override
        public long start(long time) {
            long possible = Math.max(-LAST, Math.min(time, LAST));
            LocalDate day = first(possible);
            // Clocks that are set back over midnight show the day before once more.
            for (LocalDate later = slide.plus(day, 1); instant(later) <= possible; later = slide.plus(later, 1)) {
                day = later;
            }
            return instant(day);
        }

        @Override
        public long next(long start) {
            return after(start, 1);
        }

        @Override
        public long previous(long start) {
            return after(start, -1);
        }

        private long after(long start, int units) {
            LocalDate day = slide.plus(first(start), units);
            while (instant(day) == start) {
                day = slide.plus(day, units);
            }
            return instant(day);
        }

        @Override
        public long end(long start) {
            return unit == slide ? next(start) : instant(unit.plus(first(start), 1));
        }
    }
}
