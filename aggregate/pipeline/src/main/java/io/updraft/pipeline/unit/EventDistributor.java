package io.updraft.pipeline.unit;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/**
 * Distributes the events of the source to the tasks. If groups of units are aggregated on their own, each group stays
 * with one task: the one with the fewest groups when the group was opened. Otherwise the chunks of each unit go to the tasks in
 * turn, and all other events go to every task. Not thread-safe: one thread calls it.
 */
public final class EventDistributor {

    private static final class OpenUnit {
        private final Unit unit;

        /** The task that gets the next chunk. */
        private int task;

        private long position;

        private OpenUnit(Unit unit) {
            this.unit = unit;
        }
    }

    /** A group, its task if groups stay with one, and how many of its units are open. */
    private static final class OpenGroup {
        private final Unit.Group group;
        private final int task;
        private int units;

        private OpenGroup(Unit.Group group, int task) {
            this.group = group;
            this.task = task;
        }
    }

    private static final int ALL = -1;

    private final int tasks;
    private final boolean keyed;
    private final ObjIntConsumer<TaskInput> out;
    private final UnitMoves moves;
    private final Map<String, OpenGroup> groups = new HashMap<>();
    private final Map<String, OpenUnit> units = new HashMap<>();
    private final Map<String, Unit> current = new HashMap<>();
    private final AtomicLong unitsOpened = new AtomicLong();
    private final int[] load;
    private long openings;
    private boolean forgets;
    private boolean ended;

    /** Creates a dealer that sends inputs to {@code tasks} tasks by {@code out}, those of a task in order. */
    public EventDistributor(int tasks, boolean keyed, ObjIntConsumer<TaskInput> out, UnitMoves moves) {
        this.tasks = tasks;
        this.keyed = keyed;
        this.out = out;
        this.moves = moves;
        this.load = new int[tasks];
    }

    /** Distributes the events since the last call; returns how many bytes of records they contain. */
    public long distribute(RecordSource from) throws SourceException {
        long bytes = 0;
        forgets = from.forgetsUnits();
        for (RecordSource.Event event : from.poll()) {
            bytes += distribute(event, from);
        }
        if (from.ended()) {
            stop(true);
        }
        return bytes;
    }

    /** Reports the end of the source to all tasks once; {@code whole} says whether it is the end of the input. */
    public void stop(boolean whole) {
        for (int task = 0; !ended && task < tasks; task++) {
            out.accept(new TaskInput.SourceEnded(whole), task);
        }
        ended = true;
    }

    private long distribute(RecordSource.Event event, RecordSource from) {
        if (event instanceof RecordSource.Event.Opened opened) {
            open(opened, from);
            return 0;
        }
        OpenUnit dealt = units.get(event.unit());
        if (dealt == null) {
            throw new IllegalStateException("the source reports " + event + " for a unit that it has not opened");
        }
        if (event instanceof RecordSource.Event.Records records) {
            toNext(dealt, event, records.chunk().from(), records.chunk().to());
            return records.chunk().length();
        }
        if (event instanceof RecordSource.Event.Relocated relocated) {
            moves.relocated(relocated);
            return 0;
        }
        if (event instanceof RecordSource.Event.Bad bad) {
            toNext(dealt, event, bad.position(), bad.to());
            return 0;
        }
        if (forgets && event instanceof RecordSource.Event.Ended) {
            dealt.unit.end().set(dealt.position);
        }
        toAll(dealt, event);
        // A unit with a claim may be revoked even after it has ended.
        boolean revoked = event instanceof RecordSource.Event.Revoked;
        if (event instanceof RecordSource.Event.Revoked why) {
            moves.revoked(why, keyed ? dealt.task : ALL);
        }
        if (revoked
                || event instanceof RecordSource.Event.Ended
                        && dealt.unit.group().claim() == null) {
            forget(dealt, revoked);
        }
        return 0;
    }

    private void open(RecordSource.Event.Opened opened, RecordSource from) {
        OpenGroup place = groups.computeIfAbsent(opened.group(), name -> {
            OpenGroup fresh =
                    new OpenGroup(new Unit.Group(name, ++openings, opened.claim()), keyed ? leastLoaded() : 0);
            load[fresh.task]++;
            return fresh;
        });
        place.units++;
        unitsOpened.incrementAndGet();
        OpenUnit dealt = new OpenUnit(unit(opened, place, from));
        dealt.position = opened.position();
        dealt.task = keyed ? place.task : Math.floorMod(opened.unit().hashCode(), tasks);
        units.put(opened.unit(), dealt);
        current.put(opened.unit(), dealt.unit);
        toAll(dealt, opened);
        moves.opened(opened, keyed ? place.task : ALL);
    }

    /** Returns the unit of an event: a new one, or one that has ended, is opened again at its end and is not over yet. */
    private Unit unit(RecordSource.Event.Opened opened, OpenGroup place, RecordSource from) {
        Unit ended = units.containsKey(opened.unit()) ? null : current.get(opened.unit());
        boolean goesOn = ended != null && ended.end().compareAndSet(opened.position(), Long.MAX_VALUE);
        return goesOn
                ? ended
                : new Unit(
                        opened.unit(),
                        place.group,
                        opened.position(),
                        opened.seen(),
                        unitsOpened,
                        from.fingerprints(opened.unit()));
    }

    private void forget(OpenUnit dealt, boolean revoked) {
        String name = dealt.unit.name();
        units.remove(name);
        if (revoked) {
            current.remove(name);
        }
        OpenGroup place = groups.get(dealt.unit.group().name());
        if (--place.units == 0) {
            load[place.task]--;
            groups.remove(dealt.unit.group().name());
        }
    }

    private void toNext(OpenUnit dealt, RecordSource.Event event, long from, long to) {
        if (dealt.position < 0) {
            // Set before any task can close a window with this record.
            dealt.unit.begin().set(from);
        }
        dealt.unit.frontier().sent(to);
        out.accept(new TaskInput.OfUnit(dealt.unit, event, dealt.position, to), dealt.task);
        dealt.position = to;
        if (!keyed) {
            dealt.task = dealt.task + 1 == tasks ? 0 : dealt.task + 1;
        }
    }

    private void toAll(OpenUnit dealt, RecordSource.Event event) {
        TaskInput input = new TaskInput.OfUnit(dealt.unit, event, dealt.position, dealt.position);
        if (keyed) {
            out.accept(input, dealt.task);
            return;
        }
        for (int task = 0; task < tasks; task++) {
            out.accept(input, task);
        }
    }

    private int leastLoaded() {
        return IntStream.range(0, tasks)
                .boxed()
                .min(Comparator.comparingInt(task -> load[task]))
                .orElseThrow();
    }

    /** Returns the latest time of a row of each open unit, before any gap; {@link Long#MIN_VALUE} if there is none. */
    public Map<String, Long> times() {
        Map<String, Long> times = new HashMap<>();
        units.forEach((name, dealt) -> times.put(name, dealt.unit.frontier().latest()));
        return times;
    }

    /** Returns whether the source still accepts positions of a unit: the unit was not revoked, though it may have ended. */
    public boolean isCurrent(Unit unit) {
        return unit.equals(current.get(unit.name()));
    }

    /** Forgets a unit that is over, after the commit of a position was passed to the source. */
    public void forgetIfOver(Unit unit, long done) {
        if (unit.isOver(done)) {
            current.remove(unit.name(), unit);
        }
    }

    public boolean isEnded() {
        return ended;
    }
}
