package io.updraft.kafka.offset;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** When offsets were emitted, to a tenth of a second: one mark for all that are emitted in that time. */
final class EmissionTimes {

    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(100);

    private final Deque<Mark> marks = new ArrayDeque<>();

    /** From that offset to the one of the next mark, they were emitted then or at most a tenth of a second later. */
    private record Mark(long from, long time) {}

    void emitted(long offset, long now) {
        if (marks.isEmpty() || now - marks.peekLast().time() >= RESOLUTION) {
            marks.addLast(new Mark(offset, now));
        }
    }

    /** Nobody will ask for offsets before this one. */
    void forget(long before) {
        while (marks.size() > 1 && second().from() <= before) {
            marks.pollFirst();
        }
    }

    /** When an offset was emitted. */
    long of(long offset) {
        long time = marks.peekFirst().time();
        for (Mark mark : marks) {
            if (mark.from() > offset) {
                break;
            }
            time = mark.time();
        }
        return time;
    }

    /** The first offset that was emitted after a time; a very large one if there is none. */
    long firstAfter(long time) {
        for (Mark mark : marks) {
            if (mark.time() - time > 0) {
                return mark.from();
            }
        }
        return Long.MAX_VALUE;
    }

    private Mark second() {
        var all = marks.iterator();
        all.next();
        return all.next();
    }
}
