package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.spec.AggregateSpec;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One process of the simulation: the tasks of a run, and the queues between them. All of it is lost when the process dies. */
final class SimulatedProcess {

    static final Schema SCHEMA = new Schema(List.of(
            new Schema.Field("time", FieldType.TIME),
            new Schema.Field("key", FieldType.LONG),
            new Schema.Field("value", FieldType.LONG),
            new Schema.Field("id", FieldType.LONG)));
    private static final int BYTES = 32;

    private final SimulationState world;
    private final Random random;
    private final boolean keyed;
    private final boolean transactional;
    private final FakeSource source = new FakeSource();
    private final List<Deque<TaskInput>> inputs = new ArrayList<>();
    private final List<Deque<AggregateOutput>> outputs = new ArrayList<>();
    private final List<AggregateTask> tasks = new ArrayList<>();
    private final EventDistributor distributor;
    private final WriteTask writer;
    private final Deque<Map<Partition, PartitionPosition>> commits = new ArrayDeque<>();
    private final Set<Told> reported = new LinkedHashSet<>();
    /** Where each partition ends for this run; null if it has no end. */
    private final Map<String, Integer> ends;

    private final boolean forgets;

    private final Predicate<SimulationState.Entry> unusable;
    private final UnusableRecords unusableRecords;

    /** Of each task: the unusable records of its next report. */
    private final List<Set<SimulationState.Place>> unreported = new ArrayList<>();

    private final Map<AggregateOutput, Set<SimulationState.Place>> reports = new IdentityHashMap<>();

    /** The unusable records since the last report of a usable one: no commit may pass them. */
    private final Set<SimulationState.Place> held = new HashSet<>();

    /** The task that handles something. */
    private int task;

    /** Of what is being handled. */
    private RecordSource.Ownership handling;

    SimulatedProcess(
            SimulationState world,
            Random random,
            boolean keyed,
            boolean transactional,
            int parallelism,
            Map<String, Integer> ends)
            throws Exception {
        this.world = world;
        this.ends = ends;
        this.random = random;
        // Nothing is forgotten that says by which right the results of a share are written.
        this.forgets = !world.moves && !(keyed && transactional) && random.nextBoolean();
        this.keyed = keyed;
        this.transactional = transactional;
        this.unusable = world.unusable;
        unusableRecords = new UnusableRecords(world.skipsUnusable, 0);
        RunPlan.Aggregation plan = plan(parallelism);
        for (int i = 0; i < parallelism; i++) {
            inputs.add(new ArrayDeque<>());
            int index = i;
            outputs.add(new ArrayDeque<>());
            unreported.add(new HashSet<>());
            tasks.add(new AggregateTask(
                    i,
                    plan,
                    () -> Aggregators.create(plan.query(), plan.limits()),
                    new TaskCounters(),
                    output -> add(index, output),
                    () -> world.clock));
        }
        distributor = new EventDistributor(
                parallelism,
                keyed,
                plan.unique() != null,
                (input, task) -> inputs.get(task).add(input),
                new PartitionMoves(new MoveLog(10), () -> world.clock));
        writer = new WriteTask(
                plan,
                commits::add,
                () -> world.clock,
                new SinkRetries(new StopRequest(), null, 0, () -> {}),
                new WriteCounters(),
                1 + random.nextInt(6));
        writer.open();
    }

    private RunPlan.Aggregation plan(int parallelism) {
        Query query = new Query(
                SCHEMA,
                List.of("key"),
                List.of(
                        new Measure("total", AggregateFunction.SUM, "value", 0),
                        new Measure("n", AggregateFunction.COUNT, null, 0)),
                new WindowSpec(
                        Duration.ofMillis(SimulationState.SIZE),
                        Duration.ofMillis(SimulationState.SIZE),
                        Duration.ofMillis(world.lateness)));
        TimeSpec time = new TimeSpec(
                TimeSpec.Origin.EVENT,
                "time",
                Duration.ofMillis(SimulationState.DISORDER),
                Duration.ZERO,
                Duration.ofDays(9999));
        return new RunPlan.Aggregation(
                new RunPlan.Settings(
                        "simulated",
                        kept -> source,
                        FakeDecoder::new,
                        keyed,
                        true,
                        parallelism,
                        Duration.ZERO,
                        null,
                        new Asides(),
                        unusableRecords),
                query,
                null,
                world.within == 0 ? null : unique(query, time, keyed ? 1 : parallelism),
                AggregatorOptions.inMemory(),
                time,
                Duration.ofMillis(random.nextBoolean() ? 40 : 0),
                Duration.ofMillis(random.nextInt(60)),
                sinks());
    }

    private UniqueRows unique(Query query, TimeSpec time, int tasks) {
        AggregateSpec.Unique unique = new AggregateSpec.Unique(List.of("id"), Duration.ofMillis(world.within), 0);
        return new UniqueRows("simulated", unique, query, time, tasks);
    }

    /** Results of a commit must be with all other sinks before. */
    private List<ResultSink> sinks() {
        ResultSink keeping = new FakeSink();
        ResultSink appending = new AppendingSink();
        return transactional || random.nextBoolean() ? List.of(appending, keeping) : List.of(keeping, appending);
    }

    private static SimulationState.Key key(WindowResult result, RecordRow row) {
        return new SimulationState.Key(result.window().end(), row.getLong(0));
    }

    private static SimulationState.Cell cell(RecordRow row) {
        return new SimulationState.Cell(row.getLong(1), row.getLong(2));
    }

    private void failAtTimes(String what) throws SinkException {
        if (random.nextInt(10) == 0) {
            throw SinkException.passing(what, null);
        }
        if (random.nextInt(100) == 0) {
            throw SinkException.lasting(what, null);
        }
    }

    void own(String partition, RecordSource.Ownership ownership) {
        source.opening.put(partition, ownership);
    }

    void disown(String partition) {
        source.opening.remove(partition);
        // Also when it has ended here.
        if (source.known.remove(partition)) {
            source.owned.remove(partition);
            source.events.add(new RecordSource.Event.Revoked(partition, "a simulation"));
        }
    }

    /** Does one step of one of its parts, whichever. */
    void step() throws Exception {
        world.clock += random.nextInt(5);
        switch (random.nextInt(4)) {
            case 0 -> distributor.distribute(source);
            case 1 -> {
                int task = random.nextInt(tasks.size());
                if (random.nextInt(8) == 0) {
                    tasks.get(task).tick();
                } else if (!inputs.get(task).isEmpty()) {
                    handle(task, inputs.get(task).remove());
                }
            }
            case 2 -> {
                Deque<AggregateOutput> queue = outputs.get(random.nextInt(tasks.size()));
                if (random.nextInt(8) == 0) {
                    writer.tick();
                } else if (!queue.isEmpty()) {
                    AggregateOutput output = queue.remove();
                    hold(output);
                    writer.handle(output);
                }
            }
            default -> {
                if (!commits.isEmpty()) {
                    commits.remove().forEach((partition, commit) -> {
                        if (distributor.isCurrent(partition)) {
                            source.commit(commit);
                            distributor.forgetIfOver(partition, commit.position());
                        }
                    });
                }
            }
        }
    }

    private void add(int index, AggregateOutput output) {
        if (output instanceof AggregateOutput.Closed closed && closed.used().unusable() > 0) {
            reports.put(output, Set.copyOf(unreported.get(index)));
            unreported.get(index).clear();
        }
        outputs.get(index).add(output);
    }

    private void hold(AggregateOutput output) {
        Set<SimulationState.Place> reported = reports.getOrDefault(output, Set.of());
        reports.remove(output);
        if (output instanceof AggregateOutput.Closed closed && closed.used().usable() > 0) {
            held.clear();
        } else if (!world.skipsUnusable) {
            held.addAll(reported);
        }
    }

    private void handle(int index, TaskInput input) {
        task = index;
        handling = input instanceof TaskInput.OfPartition event
                ? event.partition().share().ownership()
                : null;
        tasks.get(index).handle(input);
    }

    boolean isDone() {
        return writer.isEnded() && commits.isEmpty();
    }

    /** How many partitions are known that should not be, after all have come to their ends and are committed. */
    int partitionsLeft() {
        // What has an end may be continued, so that ids are needed beyond it.
        return forgets && world.within == 0 && held.isEmpty() && !unusableRecords.holdsPositions()
                ? tasks.stream().mapToInt(AggregateTask::partitions).sum() + writer.partitions()
                : 0;
    }

    /** Whether its input has an end. */
    boolean isBounded() {
        return ends != null;
    }

    /** As when it is asked to stop: what has been read is handled, and what is complete written. */
    void stop() {
        distributor.stop(false);
    }

    /** Whether nothing is on its way through it, and its source has read all there is. */
    boolean isQuiet() {
        return inputs.stream().allMatch(Deque::isEmpty)
                && outputs.stream().allMatch(Deque::isEmpty)
                && commits.isEmpty()
                && source.hasReadAll();
    }

    /** A late row or a rejected record. It lasts from when positions are committed that pass it, by the ownership that it was read by. */
    private record Told(String partition, RecordSource.Ownership ownership, long position, long lastEnd, boolean bad) {}

    private final class Asides implements RejectionHandler {
        /** What a crash loses. */
        private final Map<SimulationState.Key, SimulationState.Cell> refusedGroups = new HashMap<>();

        @Override
        public void reject(String partition, long position, byte[] bytes, int from, int length, String reason) {
            SimulationState.Place place = new SimulationState.Place(partition, position);
            SimulationState.Entry entry = world.entry(place);
            long end = entry.bad() ? Long.MIN_VALUE : SimulationState.windowEnd(entry.time());
            reported.add(new Told(partition, handling, position, end, true));
            unreported.get(task).add(place);
        }

        /** Time is never further than records have shown, and windows do not end before but with their input. */
        @Override
        public void late(String partition, long position, RecordRow row, long time) {
            long end = SimulationState.windowEnd(time);
            if (!world.pauses && !world.hasEnded) {
                throw new AssertionError("late: " + partition + " " + position + " at " + time);
            }
            if (end > world.mayBeClosedUntil()) {
                throw new AssertionError("late before its time: " + partition + " " + position + " at " + time
                        + ", when records had shown " + world.shown);
            }
            reported.add(new Told(partition, handling, position, end, false));
        }

        @Override
        public void overflow(String partition, TimeWindow window, WindowResult.Overflow share) {
            refusedGroups.put(new SimulationState.Key(window.end(), share.row().getLong(0)), cell(share.row()));
        }

        @Override
        public void flush() throws SinkException {
            failAtTimes("dead letters");
            refusedGroups.forEach(world::refuse);
            refusedGroups.clear();
            reported.stream()
                    .filter(each -> !each.bad())
                    .forEach(each ->
                            world.lateWritten.add(new SimulationState.Place(each.partition(), each.position())));
        }
    }

    /** With the positions, and what they pass: neither will be given again. */
    private void keep(PartitionPosition commit) {
        if (commit.position() < 0) {
            return;
        }
        world.positions.put(commit.partition(), commit);
        reported.removeIf(each -> {
            SimulationState.Place place = new SimulationState.Place(each.partition(), each.position());
            if (!each.partition().equals(commit.partition()) || each.ownership() != commit.ownership()) {
                return false;
            }
            boolean passed =
                    each.position() < commit.position() || commit.processed().covers(each.position(), each.lastEnd());
            if (passed && held.contains(place)) {
                throw new AssertionError(place + " is passed by " + commit);
            }
            if (passed && !(each.bad() ? world.dead : world.late).add(place)) {
                world.againAside.add(place);
            }
            if (each.bad() && !passed && commit.processed().covers(each.position())) {
                world.refusedBefore.add(place);
            }
            return passed;
        });
        world.refusedBefore.removeIf(place -> {
            if (!place.partition().equals(commit.partition())) {
                return false;
            }
            long end = SimulationState.windowEnd(world.entry(place).time());
            boolean passed =
                    place.position() < commit.position() || commit.processed().covers(place.position(), end);
            if (passed && unusable.test(world.entry(place))) {
                world.dead.add(place);
            }
            return passed;
        });
    }

    private final class FakeSource implements RecordSource {
        @Override
        public boolean forgetsPartitions() {
            return forgets;
        }

        private final Map<String, RecordSource.Ownership> opening = new TreeMap<>();
        private final Map<String, Integer> owned = new HashMap<>();
        private final Set<String> known = new HashSet<>();
        private final Deque<SourceEvent> events = new ArrayDeque<>();
        private final Set<String> ended = new HashSet<>();
        private final Set<String> idle = new HashSet<>();
        /** Partitions whose reader has failed, and how many turns it takes until it is tried again. */
        private final Map<String, Integer> failed = new HashMap<>();

        @Override
        public List<SourceEvent> poll() {
            List<SourceEvent> newEvents = new ArrayList<>(events);
            events.clear();
            for (String partition : opening.keySet()) {
                PartitionPosition position = world.position(partition);
                owned.put(partition, world.next(partition));
                known.add(partition);
                ended.remove(partition);
                newEvents.add(new Event.Opened(
                        partition,
                        "g" + world.share(partition),
                        // A file begins at 0; it is files that are forgotten.
                        forgets ? world.next(partition) : position.position(),
                        position.closedUntil(),
                        position.processed(),
                        opening.get(partition),
                        "a simulation"));
            }
            opening.clear();
            for (String partition : List.copyOf(owned.keySet())) {
                if (random.nextBoolean() && !isFailed(partition)) {
                    read(partition, newEvents);
                }
            }
            return newEvents;
        }

        private boolean isFailed(String partition) {
            failed.computeIfPresent(partition, (any, turns) -> turns == 0 ? null : turns - 1);
            if (random.nextInt(60) == 0) {
                failed.put(partition, random.nextInt(30));
            }
            return failed.containsKey(partition);
        }

        private boolean hasReadAll() {
            return opening.isEmpty()
                    && events.isEmpty()
                    && owned.entrySet().stream()
                            .allMatch(partition -> partition.getValue().equals(world.grown.get(partition.getKey())));
        }

        private void read(String partition, List<SourceEvent> newEvents) {
            List<SimulationState.Entry> log = world.partitions.get(partition);
            int from = owned.get(partition);
            if (ends != null && from >= ends.get(partition)) {
                owned.remove(partition);
                ended.add(partition);
                newEvents.add(new Event.Ended(partition));
                return;
            }
            int grown = world.grown.get(partition);
            if (from == grown) {
                if (world.pauses && random.nextInt(4) == 0 && idle.add(partition)) {
                    newEvents.add(new Event.Idle(partition));
                }
                return;
            }
            idle.remove(partition);
            int to = Math.min(grown, from + 1 + random.nextInt(4));
            if (unusable.test(log.get(from)) && random.nextBoolean()) {
                to = from + 1;
                newEvents.add(new Event.Rejected(partition, from, to, new byte[0], "too long"));
            } else {
                newEvents.add(chunk(partition, log, from, to));
            }
            owned.put(partition, to);
            log.subList(from, to).stream()
                    .filter(unusable.negate())
                    .forEach(entry -> world.shown = Math.max(world.shown, entry.time()));
        }

        private Chunk chunk(String partition, List<SimulationState.Entry> log, int from, int to) {
            int count = to - from;
            ByteBuffer bytes = ByteBuffer.allocate(count * BYTES);
            int[] ends = new int[count];
            long[] positions = new long[count];
            for (int i = 0; i < count; i++) {
                SimulationState.Entry entry = log.get(from + i);
                bytes.putLong(entry.time())
                        .putLong(entry.key())
                        .putLong(unusable.test(entry) ? 0 : entry.value())
                        .putLong(entry.id());
                ends[i] = bytes.position();
                positions[i] = from + i;
            }
            return new Chunk(partition, from, to, bytes.array(), bytes.position(), ends, positions, null);
        }

        @Override
        public void commit(PartitionPosition commit) {
            if (!transactional && commit.ownership() == world.ownerships.get(commit.partition())) {
                keep(commit);
            }
        }

        @Override
        public boolean ended() {
            // A process may have only some partitions.
            boolean all = keyed && world.moves && world.within > 0
                    ? owned.isEmpty() && opening.isEmpty()
                    : ended.size() == world.partitions.size();
            return !world.endless && all;
        }

        @Override
        public SourceProgress progress() {
            return new SourceProgress(0, -1, -1, "records");
        }

        @Override
        public void close() {
            owned.clear();
        }
    }

    private static final class FakeDecoder implements Decoder {
        private final RecordRow row = new RecordRow(SCHEMA);

        @Override
        public int decode(Chunk chunk, io.updraft.timeseries.decode.RowHandler rows) {
            ByteBuffer bytes = ByteBuffer.wrap(chunk.bytes());
            for (int i = 0; i < chunk.ends().length; i++) {
                row.clear();
                for (int slot = 0; slot < SCHEMA.size(); slot++) {
                    row.setLong(slot, bytes.getLong());
                }
                if (row.getLong(SCHEMA.slot("id")) == 0) {
                    row.setNone(SCHEMA.slot("id"));
                }
                if (row.getLong(SCHEMA.slot("value")) == 0) {
                    rows.rejected(chunk.positions()[i], chunk.bytes(), 0, 0, "no value");
                } else {
                    rows.row(row, chunk.positions()[i], 0);
                }
            }
            return chunk.ends().length;
        }

        @Override
        public int recordFrom() {
            return 0;
        }

        @Override
        public int recordLength() {
            return 0;
        }
    }

    /** Keeps results and positions together, or only results; fails for a while, and refuses partitions that are not the process's. */
    private final class FakeSink implements ResultSink {
        @Override
        public String where() {
            return "memory";
        }

        private final Map<SimulationState.Key, SimulationState.Cell> prepared = new HashMap<>();
        private final List<RefusedRow> refused = new ArrayList<>();
        private int writes;
        private final Set<String> partitions = new HashSet<>();
        private boolean mixed;
        /** What was committed last has no answer yet. */
        private boolean asking;

        @Override
        public void open(Schema columns, int dimensions) {
            clear();
        }

        @Override
        public void write(WindowResult result, String partition) throws SinkException {
            if (asking) {
                return; // It is the same that was written before.
            }
            failAtTimes("write");
            writes++;
            if (partition != null) {
                world.partitions.keySet().stream()
                        .filter(each -> partition.equals("g" + world.share(each)))
                        .forEach(partitions::add);
            }
            mixed |= partition == null;
            if (transactional && result.emission() == WindowResult.Emission.EARLY) {
                return;
            }
            long[] next = {0};
            result.forEach(row -> {
                long number = next[0]++;
                if (world.isRefused(key(result, row))) {
                    refused.add(new RefusedRow(writes - 1, number, "refused"));
                } else {
                    prepared.put(key(result, row), cell(row));
                }
            });
        }

        private void clear() {
            prepared.clear();
            refused.clear();
            writes = 0;
        }

        @Override
        public boolean flush(List<PartitionPosition> commits) throws SinkException {
            if (asking) {
                answer();
                return true;
            }
            List<PartitionPosition> all =
                    commits.stream().filter(commit -> commit.position() >= 0).toList();
            Set<RecordSource.Ownership> lost = new HashSet<>();
            for (PartitionPosition commit : all) {
                partitions.removeIf(partition -> world.share(partition) == world.share(commit.partition()));
                if (commit.ownership() != world.ownerships.get(commit.partition())) {
                    lost.add(commit.ownership());
                }
            }
            // The right to any partition stands for all, if one process has all of them.
            if (transactional && (!partitions.isEmpty() || mixed && all.isEmpty())) {
                throw new AssertionError(
                        "results without the right to " + partitions + ": " + prepared + " by " + commits);
            }
            mixed = false;
            partitions.removeIf(partition -> world.owners.get(partition) == SimulatedProcess.this);
            boolean unknown = !partitions.isEmpty();
            partitions.clear();
            if (unknown || !lost.isEmpty()) {
                clear();
                // A process may learn that partitions are lost, or only that it was fenced.
                throw unknown || random.nextInt(4) == 0
                        ? SinkException.lasting("fenced", null)
                        : SinkException.lostOwnerships(lost, "lost", null);
            }
            try {
                failAtTimes("flush");
            } catch (SinkException e) {
                clear();
                throw e;
            }
            if (!refused.isEmpty()) {
                List<RefusedRow> rows = List.copyOf(refused);
                clear();
                throw SinkException.refused(rows, where(), null);
            }
            Map<SimulationState.Key, SimulationState.Cell> results = Map.copyOf(prepared);
            clear();
            if (transactional && random.nextInt(10) == 0) {
                world.doubt(() -> take(results, all));
                asking = true;
                answer();
            } else {
                take(results, all);
            }
            return transactional;
        }

        private void take(Map<SimulationState.Key, SimulationState.Cell> results, List<PartitionPosition> all) {
            results.keySet().stream()
                    .collect(Collectors.groupingBy(key -> key.windowEnd() + "/" + (keyed ? key.key() / 10 : 0)))
                    .values()
                    .stream()
                    .filter(window ->
                            window.stream().allMatch(key -> results.get(key).equals(world.results.get(key))))
                    .forEach(world.unchanged::addAll);
            results.forEach((key, value) -> {
                if (world.results.put(key, value) != null) {
                    world.rewritten.add(key);
                }
            });
            if (transactional) {
                all.forEach(SimulatedProcess.this::keep);
            }
        }

        /** The answer may be late again, when what was asked for may have been done before or not; or this process dies without it. */
        private void answer() throws SinkException {
            if (random.nextBoolean()) {
                world.settle();
            }
            if (random.nextInt(10) == 0) {
                throw SinkException.lasting("no answer", null);
            }
            if (random.nextInt(3) > 0) {
                throw SinkException.passing("no answer yet", null);
            }
            world.settle();
            asking = false;
        }

        @Override
        public void close() {
            clear();
        }
    }

    /** Adds final results to a log, as a file that is appended to; fails for a while. */
    private final class AppendingSink implements ResultSink {
        @Override
        public String where() {
            return "memory";
        }

        private final Map<SimulationState.Key, SimulationState.Cell> prepared = new HashMap<>();
        private final Set<SimulationState.Key> flushed = new HashSet<>();

        @Override
        public void open(Schema columns, int dimensions) {
            prepared.clear();
        }

        @Override
        public void write(WindowResult result, String partition) throws SinkException {
            failAtTimes("append");
            if (result.emission() != WindowResult.Emission.EARLY) {
                result.forEach(row -> {
                    SimulationState.Key key = key(result, row);
                    if (prepared.put(key, cell(row)) != null) {
                        world.repeated.add(key);
                    }
                });
            }
        }

        @Override
        public boolean flush(List<PartitionPosition> all) throws SinkException {
            Map<SimulationState.Key, SimulationState.Cell> results = Map.copyOf(prepared);
            prepared.clear();
            failAtTimes("append");
            results.forEach((key, value) -> {
                world.append(SimulatedProcess.this, key, value);
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
