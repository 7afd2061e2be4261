package io.updraft.pipeline.run;

import io.updraft.kafka.router.DeliveryListener;
import io.updraft.kafka.router.Router;
import io.updraft.pipeline.sink.RouteText;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Source;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.Chunk;
import io.updraft.timeseries.record.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Decodes chunks and gives their rows, or the records that these are made of, to the router; says which chunks the brokers have
 * taken, and up to where. One thread calls it; deliveries come on the producers' threads.
 */
final class RouteTask implements RowHandler {

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Told what brokers have taken. */
    interface Told {
        /** All rows of a chunk are stored; on any thread. */
        void written(Unit unit, long from);

        /** All of a unit before a position is stored; on the task's thread. */
        void commit(Unit unit, long position);
    }

    private final int index;
    private final RunPlan plan;
    private final Router router;
    private final Decoder decoder;
    private final RouteText text;
    private final TaskCounters counters;
    private final Told told;
    private final LongSupplier clock;
    private final Retries retries;
    private final BooleanSupplier givenUp;
    private final Map<Unit, UnitWrites> units = new HashMap<>();
    private final Set<Integer> endedSources = new HashSet<>();
    /** Pieces with a record that is put aside and may not last yet, once for each such record; producers' threads add to it. */
    private final Queue<UnitWrites.Piece> aside = new ConcurrentLinkedQueue<>();

    private long nextAlarm;
    private boolean ended;

    /** The chunk in hand. */
    private Chunk chunk;

    private UnitWrites unit;
    private UnitWrites.Piece piece;
    private boolean hasBad;

    /** A task; when {@code givenUp} says so, it waits no longer for room in the router, but throws. */
    RouteTask(
            int index,
            RunPlan plan,
            TaskCounters counters,
            Told told,
            LongSupplier clock,
            Retries retries,
            BooleanSupplier givenUp) {
        this.index = index;
        this.plan = plan;
        this.router = plan.route().router();
        this.decoder = plan.decoders().get();
        this.text = new RouteText(plan.route().schema(), plan.route().key());
        this.counters = counters;
        this.told = told;
        this.clock = clock;
        this.retries = retries;
        this.givenUp = givenUp;
    }

    /** Handles what a reader has sent. */
    void handle(Input input) {
        if (input instanceof Input.SourceEnded end) {
            endedSources.add(end.source());
            if (endedSources.size() == plan.sources().size()) {
                end();
            }
            return;
        }
        Input.Happened happened = (Input.Happened) input;
        Unit which = happened.unit();
        if (happened.event() instanceof Source.Event.Opened opened) {
            units.put(which, new UnitWrites(which, opened.position(), (of, from) -> told.written(of.unit(), from)));
        } else if (happened.event() instanceof Source.Event.Revoked) {
            drop(which);
        } else if (units.containsKey(which)) {
            handle(units.get(which), happened.event());
        } else if (happened.event() instanceof Source.Event.Records records) {
            records.chunk().release(); // what was read before the unit was taken away
        }
    }

    private void handle(UnitWrites of, Source.Event event) {
        if (event instanceof Source.Event.Records records) {
            route(of, records.chunk());
        } else if (event instanceof Source.Event.Bad bad) {
            UnitWrites.Piece only = of.begin(bad.position(), bad.to(), clock.getAsLong());
            counters.records++;
            counters.bad++;
            plan.aside().bad(of.unit().name(), bad.position(), bad.head(), 0, bad.head().length, bad.reason());
            aside.add(only);
        }
    }

    /** What is under way may still be stored, and then is again by whoever has the unit next: at least once. */
    private void drop(Unit which) {
        units.remove(which);
        boolean last = units.keySet().stream().noneMatch(other -> other.group().equals(which.group()));
        if (last && which.group().claim() != null) {
            which.group().claim().released();
        }
    }

    private void route(UnitWrites of, Chunk records) {
        chunk = records;
        unit = of;
        hasBad = false;
        piece = of.begin(records.from(), records.to(), clock.getAsLong());
        counters.records += decoder.decode(records, this);
        counters.bytes += records.length();
        counters.publish();
        records.release();
        piece.finish();
    }

    @Override
    public void row(Row row, long position, long time) {
        counters.rows++;
        byte[] value = plan.route().rows() ? text.row(row) : record();
        send(text.key(row), value, position);
    }

    private void send(byte[] key, byte[] value, long position) {
        Delivery delivery = new Delivery(unit.unit().name(), piece, position, value);
        piece.begin();
        while (!router.send(key, value, delivery)) {
            awaitRoom(key.length + value.length);
        }
    }

    private void awaitRoom(int bytes) {
        try {
            while (!router.awaitRoom(bytes, LOOK)) {
                if (givenUp.getAsBoolean()) {
                    throw new IllegalStateException("no cluster takes the records of "
                            + unit.unit().name() + " from position " + unit.done() + " on; they are not committed");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + unit.unit().name() + " waited for brokers", e);
        }
    }

    /** What became of a record; on a producer's thread. */
    private final class Delivery implements DeliveryListener {
        private final String name;
        private final UnitWrites.Piece of;
        private final long position;
        private final byte[] value;

        private Delivery(String name, UnitWrites.Piece of, long position, byte[] value) {
            this.name = name;
            this.of = of;
            this.position = position;
            this.value = value;
        }

        @Override
        public void onDelivered(String target, int partition, long offset) {
            of.finish();
        }

        @Override
        public void onFailed(Exception cause) {
            if (cause instanceof RecordTooLargeException || cause instanceof SerializationException) {
                // No cluster will ever take it. Other failures come when the router is closed: it is not done then.
                plan.aside().bad(name, position, value, 0, value.length, cause.getMessage());
                aside.add(of);
            }
        }
    }

    /** The bytes of the record in hand. */
    private byte[] record() {
        int from = decoder.recordFrom();
        return Arrays.copyOfRange(chunk.bytes(), from, from + decoder.recordLength());
    }

    @Override
    public void bad(long position, byte[] bytes, int from, int length, String reason) {
        counters.bad++;
        plan.aside().bad(unit.unit().name(), position, bytes, from, length, reason);
        if (!hasBad) {
            hasBad = true;
            piece.begin();
            aside.add(piece);
        }
    }

    /** A record that is put aside is done when that lasts, as others are when brokers have them. */
    private void flushAside() {
        List<UnitWrites.Piece> before = new ArrayList<>();
        for (UnitWrites.Piece each = aside.poll(); each != null; each = aside.poll()) {
            before.add(each);
        }
        try {
            retries.run(wait -> plan.aside().flush(), "Writing dead letters");
        } catch (SinkException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while records were put aside", e);
        }
        before.forEach(UnitWrites.Piece::finish);
    }

    /** To be called about once a second: tells how far units are, and which wait for too long. */
    void tick() {
        flushAside();
        commit();
        alarm(clock.getAsLong());
        counters.publish();
    }

    /** All units of a group together: that is how a coordinator keeps them. */
    private void commit() {
        if (!plan.track()) {
            return;
        }
        Set<Unit.Group> moved = new HashSet<>();
        units.values().stream()
                .filter(UnitWrites::gotOn)
                .forEach(of -> moved.add(of.unit().group()));
        List<UnitWrites> all = units.values().stream()
                .filter(of -> moved.contains(of.unit().group()))
                .toList();
        all.forEach(of -> told.commit(of.unit(), of.done()));
        forgetOver();
    }

    /** What has come to its end is told once more, as it may not have been known before that it was the end. */
    private void forgetOver() {
        units.values().removeIf(of -> {
            boolean over = of.isDone() && of.unit().isOver(of.done());
            if (over) {
                told.commit(of.unit(), of.done());
            }
            return over;
        });
    }

    private void alarm(long now) {
        long limit = plan.alarm().toMillis();
        if (limit == 0 || now < nextAlarm) {
            return;
        }
        nextAlarm = now + Math.max(1_000, limit / 4);
        for (UnitWrites of : units.values()) {
            long since = of.waitingSince();
            if (since != Long.MAX_VALUE && now - since > limit) {
                counters.alarm("route task " + index + ": " + of.unit().name() + " position " + of.done()
                        + " has not been taken by any cluster for " + (now - since) / 1_000 + " s");
            }
        }
    }

    /** Waits until all that was given to the router is stored, or given up. */
    private void end() {
        ended = true;
        awaitWritten();
        flushAside();
        commit();
        counters.publish();
    }

    private void awaitWritten() {
        try {
            while (!units.values().stream().allMatch(UnitWrites::isDone) && !givenUp.getAsBoolean()) {
                flushAside();
                router.flush(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isEnded() {
        return ended;
    }
}
