package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Source;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.aggregate.Function;
import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.aggregate.WindowSpec;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.record.Chunk;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** One process of the simulation: the tasks of a run, and the queues between them. All of it is lost when the process dies. */
final class Process {

    static final Schema SCHEMA = new Schema(List.of(
            new Field("time", FieldType.TIME), new Field("key", FieldType.LONG), new Field("value", FieldType.LONG)));
    private static final int BYTES = 24;

    private final World world;
    private final Random random;
    private final boolean keyed;
    private final boolean transactional;
    private final FakeSource source = new FakeSource();
    private final List<Deque<Input>> inputs = new ArrayList<>();
    private final List<Deque<Output>> outputs = new ArrayList<>();
    private final List<AggregateTask> tasks = new ArrayList<>();
    private final Dealer dealer;
    private final WriteTask writer;
    private final Deque<RunState.Committed> commits = new ArrayDeque<>();
    private long clock;

    Process(World world, Random random, boolean keyed, boolean transactional, int parallelism) throws Exception {
        this.world = world;
        this.random = random;
        this.keyed = keyed;
        this.transactional = transactional;
        RunPlan plan = plan(parallelism);
        for (int i = 0; i < parallelism; i++) {
            inputs.add(new ArrayDeque<>());
            Deque<Output> queue = new ArrayDeque<>();
            outputs.add(queue);
            tasks.add(new AggregateTask(
                    i,
                    plan,
                    () -> Aggregators.create(plan.query(), plan.limits()),
                    new TaskCounters(),
                    queue::add,
                    () -> clock));
        }
        dealer = new Dealer(
                0, parallelism, keyed, (task, input) -> inputs.get(task).add(input));
        writer = new WriteTask(
                plan,
                (unit, position, until) -> commits.add(new RunState.Committed(unit, position, until)),
                () -> clock,
                new Retries(new CountDownLatch(1), 0, () -> {}),
                new WriteCounters());
        writer.open();
    }

    private RunPlan plan(int parallelism) {
        Query query = new Query(
                SCHEMA,
                List.of("key"),
                List.of(new Measure("total", Function.SUM, "value", 0)),
                WindowSpec.tumbling(Duration.ofMillis(World.SIZE)));
        return new RunPlan(
                "simulated",
                List.of(kept -> source),
                FakeDecoder::new,
                query,
                AggregatorOptions.inMemory(),
                new TimePolicy(TimePolicy.Kind.EVENT, "time", Duration.ofMillis(World.DISORDER), Duration.ofDays(9999)),
                keyed,
                true,
                parallelism,
                Duration.ofMillis(random.nextBoolean() ? 40 : 0),
                Duration.ofMillis(random.nextInt(60)),
                Duration.ZERO,
                sinks(),
                new Strict(),
                null);
    }

    /** Results of a commit must be with all other sinks before. */
    private List<Sink> sinks() {
        Sink keeping = new FakeSink();
        Sink appending = new AppendingSink();
        return transactional || random.nextBoolean() ? List.of(appending, keeping) : List.of(keeping, appending);
    }

    private void failAtTimes(String what) throws SinkException {
        if (random.nextInt(10) == 0) {
            throw SinkException.passing(what, null);
        }
        if (random.nextInt(100) == 0) {
            throw SinkException.lasting(what, null);
        }
    }

    void own(String unit, Source.Claim claim) {
        source.opening.put(unit, claim);
    }

    void disown(String unit) {
        source.opening.remove(unit);
        // Also when it has ended here.
        if (source.known.remove(unit)) {
            source.owned.remove(unit);
            source.events.add(new Source.Event.Revoked(unit));
        }
    }

    /** Does one step of one of its parts, whichever. */
    void step() throws Exception {
        clock += random.nextInt(5);
        switch (random.nextInt(4)) {
            case 0 -> dealer.deal(source);
            case 1 -> {
                int task = random.nextInt(tasks.size());
                if (random.nextInt(8) == 0) {
                    tasks.get(task).tick();
                } else if (!inputs.get(task).isEmpty()) {
                    tasks.get(task).handle(inputs.get(task).remove());
                }
            }
            case 2 -> {
                Deque<Output> queue = outputs.get(random.nextInt(tasks.size()));
                if (random.nextInt(8) == 0) {
                    writer.tick();
                } else if (!queue.isEmpty()) {
                    writer.handle(queue.remove());
                }
            }
            default -> {
                RunState.Committed commit = commits.poll();
                if (commit != null && dealer.isCurrent(commit.unit())) {
                    source.commit(commit.unit().name(), commit.position(), commit.closedUntil());
                }
            }
        }
    }

    boolean isDone() {
        return writer.isEnded() && commits.isEmpty();
    }

    /** Nothing may be called bad or late: the times are as promised. */
    private static final class Strict implements Aside {
        @Override
        public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {
            throw new AssertionError("bad: " + unit + " " + position + " " + reason);
        }

        @Override
        public void late(String unit, long position, Row row, long time) {
            throw new AssertionError("late: " + unit + " " + position + " at " + time);
        }
    }

    private final class FakeSource implements Source {
        private final Map<String, Source.Claim> opening = new TreeMap<>();
        private final Map<String, Integer> owned = new HashMap<>();
        private final Set<String> known = new HashSet<>();
        private final Deque<Event> events = new ArrayDeque<>();
        private final Set<String> ended = new HashSet<>();

        @Override
        public List<Event> poll() {
            List<Event> happened = new ArrayList<>(events);
            events.clear();
            for (String unit : opening.keySet()) {
                Commit position = world.position(unit);
                owned.put(unit, (int) position.position());
                known.add(unit);
                happened.add(new Event.Opened(
                        unit, "g" + World.group(unit), position.position(), position.closedUntil(), opening.get(unit)));
            }
            opening.clear();
            for (String unit : List.copyOf(owned.keySet())) {
                if (random.nextBoolean()) {
                    read(unit, happened);
                }
            }
            return happened;
        }

        private void read(String unit, List<Event> happened) {
            List<World.Entry> log = world.units.get(unit);
            int from = owned.get(unit);
            if (from == log.size()) {
                owned.remove(unit);
                ended.add(unit);
                happened.add(new Event.Ended(unit));
                return;
            }
            int to = Math.min(log.size(), from + 1 + random.nextInt(4));
            owned.put(unit, to);
            happened.add(new Event.Records(chunk(unit, log, from, to)));
            if (random.nextInt(10) == 0) {
                long now = Long.MAX_VALUE;
                for (World.Entry entry : log.subList(to, log.size())) {
                    now = Math.min(now, entry.time());
                }
                happened.add(new Event.Idle(unit, now == Long.MAX_VALUE ? Long.MIN_VALUE : now));
            }
        }

        private Chunk chunk(String unit, List<World.Entry> log, int from, int to) {
            int count = to - from;
            ByteBuffer bytes = ByteBuffer.allocate(count * BYTES);
            int[] ends = new int[count];
            long[] positions = new long[count];
            for (int i = 0; i < count; i++) {
                World.Entry entry = log.get(from + i);
                bytes.putLong(entry.time()).putLong(entry.key()).putLong(entry.value());
                ends[i] = bytes.position();
                positions[i] = from + i;
            }
            return new Chunk(unit, from, to, bytes.array(), bytes.position(), ends, positions, null);
        }

        @Override
        public void commit(String unit, long position, long closedUntil) {
            if (!transactional && world.owners.get(unit) == Process.this) {
                world.positions.put(unit, new Commit(unit, position, closedUntil));
            }
        }

        @Override
        public boolean ended() {
            return !world.endless && ended.size() == world.units.size();
        }

        @Override
        public Progress progress() {
            return new Progress(0, -1, -1, "records");
        }

        @Override
        public void close() {
            owned.clear();
        }
    }

    private static final class FakeDecoder implements Decoder {
        private final Row row = new Row(SCHEMA);

        @Override
        public int decode(Chunk chunk, io.updraft.timeseries.decode.RowHandler rows) {
            ByteBuffer bytes = ByteBuffer.wrap(chunk.bytes());
            for (int i = 0; i < chunk.ends().length; i++) {
                row.clear();
                for (int slot = 0; slot < SCHEMA.size(); slot++) {
                    row.setLong(slot, bytes.getLong());
                }
                rows.row(row, chunk.positions()[i], 0);
            }
            return chunk.ends().length;
        }
    }

    /** Keeps results and positions together, or only results; fails for a while, and refuses units that are not the process's. */
    private final class FakeSink implements Sink {
        private final Map<World.Key, Long> prepared = new HashMap<>();
        private final Set<String> units = new HashSet<>();

        @Override
        public void open(Schema columns, int dimensions) {
            prepared.clear();
        }

        @Override
        public void write(WindowResult result, String unit) throws SinkException {
            failAtTimes("write");
            if (transactional && result.emission() == WindowResult.Emission.EARLY) {
                return;
            }
            if (unit != null) {
                world.units.keySet().stream()
                        .filter(each -> unit.equals("g" + World.group(each)))
                        .forEach(units::add);
            }
            result.forEach(row -> prepared.put(new World.Key(result.window().end(), row.getLong(0)), row.getLong(1)));
        }

        @Override
        public boolean flush(List<Commit> all) throws SinkException {
            Set<Source.Claim> lost = new HashSet<>();
            for (Commit commit : all) {
                units.remove(commit.unit());
                if (commit.claim() != world.claims.get(commit.unit())) {
                    lost.add(commit.claim());
                }
            }
            units.removeIf(unit -> world.owners.get(unit) == Process.this);
            boolean unknown = !units.isEmpty();
            units.clear();
            if (unknown || !lost.isEmpty()) {
                prepared.clear();
                // A process may learn that units are lost, or only that it was fenced.
                throw unknown || random.nextInt(4) == 0
                        ? SinkException.lasting("fenced", null)
                        : SinkException.lost(lost, "lost", null);
            }
            try {
                failAtTimes("flush");
            } catch (SinkException e) {
                prepared.clear();
                throw e;
            }
            prepared.forEach((key, value) -> {
                if (world.results.put(key, value) != null) {
                    world.rewritten.add(key);
                }
            });
            prepared.clear();
            if (transactional) {
                all.forEach(commit -> world.positions.put(commit.unit(), commit));
            }
            return transactional;
        }

        @Override
        public void close() {
            prepared.clear();
        }
    }

    /** Adds final results to a log, as a file that is appended to; fails for a while. */
    private final class AppendingSink implements Sink {
        private final Map<World.Key, Long> prepared = new HashMap<>();
        private final Set<World.Key> flushed = new HashSet<>();

        @Override
        public void open(Schema columns, int dimensions) {
            prepared.clear();
        }

        @Override
        public void write(WindowResult result, String unit) throws SinkException {
            failAtTimes("append");
            if (result.emission() != WindowResult.Emission.EARLY) {
                result.forEach(row -> {
                    World.Key key = new World.Key(result.window().end(), row.getLong(0));
                    if (prepared.put(key, row.getLong(1)) != null) {
                        world.repeated.add(key);
                    }
                });
            }
        }

        @Override
        public boolean flush(List<Commit> all) throws SinkException {
            Map<World.Key, Long> results = Map.copyOf(prepared);
            prepared.clear();
            failAtTimes("append");
            results.forEach((key, value) -> {
                world.appended.put(key, value);
                if (!flushed.add(key)) {
                    world.repeated.add(key);
                }
            });
            return false;
        }

        @Override
        public void close() {
            prepared.clear();
        }
    }
}
