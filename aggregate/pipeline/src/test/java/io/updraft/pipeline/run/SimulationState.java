package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What outlives a process in the simulation: the log that is read, the positions, the results, late rows and dead letters; and who owns
 * which partition. Records are a time, a key and a value; keys belong to one partition each, unless the world is mixed. Within a window and key each
 * value is a power of two of its own, so that a sum says which records are in it.
 */
final class SimulationState {

    /** In place of a position: from the first record on, wherever that is. It cannot be committed. */
    static final long EARLIEST = -2;

    static final long SIZE = 100;
    static final long DISORDER = 150;

    /** A sum of more would not fit. */
    private static final int MOST_IN_CELL = 62;

    /**
     * A record.
     *
     * @param ahead whether a run with a wrong clock refuses it, and a later run does not
     * @param id 0 for none. A record with the id of one before it in its partition has a value of its own; one with the id of a record of
     *     another partition is the same record, which was sent twice
     */
    record Entry(long time, long key, long value, boolean bad, boolean ahead, long id) {
        Key cell() {
            return new Key(windowEnd(time), key);
        }
    }

    record Key(long windowEnd, long key) {}

    /** What is in a window of a key: the records, and how many additions it took. */
    record Cell(long sum, long count) {
        static final Cell EMPTY = new Cell(0, 0);
    }

    /** Where a record is. */
    record Place(String partition, long position) {}

    /** Whether partitions may come back after they have ended, so that a source never has an end. */
    boolean endless;

    /** What the processes that start now cannot use: records ahead of their clock, or all, as with a wrong path. */
    Predicate<Entry> unusable = Entry::bad;

    /** Whether the processes that start now commit behind what they cannot use. */
    boolean skipsUnusable = true;

    /** Partitions move between processes. */
    boolean moves;

    /**
     * Whether partitions that have been read to the end of the log are idle for a while, and some records are older than they may be: then some
     * may be late.
     */
    final boolean pauses;

    /** For how long after its end a window takes rows. */
    final long lateness;

    /** For how long ids are remembered; 0 if duplicates count. */
    final long within;

    /** The ids of records that were sent to several partitions. */
    private final Set<Long> sentTwice = new HashSet<>();

    /** The ids of several records of one partition. */
    private final Set<Long> usedTwice = new HashSet<>();

    private long lastId;

    /** How many partitions are in a share: with two, partitions 0 and 1 are in the first, and so on. */
    private final int partitionsOfGroup;

    /** The clock, which has nothing to do with the times of records. */
    long clock = 1_000_000_000_000L;

    /** How often a process ended, or partitions went to another one, before all was written. */
    int deaths;

    /** Whether an input has come to its end, so that what comes after may be late. */
    boolean hasEnded;

    /** The end of the latest window that an input's end may have closed. */
    private long endedUntil = Long.MIN_VALUE;

    /** The latest time of a record that any process has read. */
    long shown = Long.MIN_VALUE / 2;

    final Map<String, List<Entry>> partitions = new TreeMap<>();

    /** How many of its records a partition has got by now. */
    final Map<String, Integer> grown = new HashMap<>();

    final Map<String, PartitionPosition> positions = new HashMap<>();
    final Map<Key, Cell> results = new HashMap<>();
    final Map<String, SimulatedProcess> owners = new HashMap<>();

    /** The right to each partition: a new one with each owner. */
    final Map<String, RecordSource.Ownership> ownerships = new HashMap<>();

    /** Keys that were written more than once: none may be if results and positions are kept together. */
    final List<Key> rewritten = new ArrayList<>();

    /** Keys of windows that were written again and had not changed: none may be if results and positions are kept together. */
    final List<Key> unchanged = new ArrayList<>();
    /** Whether some runs refuse records that others take. */
    boolean clocksDiffer;

    /** What the sink that appends has: the last result of each key. */
    final Map<Key, Cell> appended = new HashMap<>();

    /** By key, what each process has appended last. Without moves, all processes before the last one are dead. */
    private final Map<Key, Map<SimulatedProcess, Cell>> appendedBy = new HashMap<>();

    /** Keys that one process has appended more than once: none may be, however other sinks fail, while partitions do not come back. */
    final List<Key> repeated = new ArrayList<>();

    /** Late rows and dead letters that no run will give again. */
    final Set<Place> late = new HashSet<>();

    final Set<Place> dead = new HashSet<>();

    /** Late rows that have been written, and perhaps will be again. */
    final Set<Place> lateWritten = new HashSet<>();

    /** Refused records that commits cover: the next run does not refuse them again, but may count them. */
    final Set<Place> refusedBefore = new HashSet<>();

    /** Those that were there already. */
    final List<Place> againAside = new ArrayList<>();

    /** The dead letters of shares that the sink refuses, each time that they were written. */
    private final Map<Key, List<Cell>> refusedGroups = new HashMap<>();

    /** Whether the sink that keeps results refuses some shares. */
    private final boolean hasRefusals;

    /** A commit whose answer has not come: it may have taken effect or not. */
    private Runnable undecided;

    /** The values of records that were in a log until it was cut: they may be in results or not. */
    private final Map<Key, Long> cut = new HashMap<>();

    private final Map<Key, Integer> inCell = new HashMap<>();
    private final boolean mixed;

    SimulationState(Random random, int partitionCount, int most, boolean mixed) {
        this.mixed = mixed;
        pauses = random.nextBoolean();
        lateness = random.nextInt(3) == 0 ? 60 : 0;
        partitionsOfGroup = 1 + random.nextInt(2);
        within = random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 0;
        long begin = begin(random);
        for (int partition = 0; partition < partitionCount; partition++) {
            List<Entry> entries = new ArrayList<>();
            add(entries, random, partition, begin + random.nextInt(300), random.nextInt(most));
            partitions.put("u" + partition, entries);
            grown.put("u" + partition, 0);
        }
        hasRefusals = random.nextBoolean();
    }

    boolean isRefused(Key key) {
        return hasRefusals && Math.floorMod(key.windowEnd() / SIZE + key.key(), 5) == 0;
    }

    void refuse(Key key, Cell cell) {
        refusedGroups.computeIfAbsent(key, each -> new ArrayList<>()).add(cell);
    }

    /** Returns results and dead letters of shares: of several for one share that with all its records, if there is one. */
    Map<Key, Cell> withRefusedGroups() {
        assertThat(results.keySet()).as("results of the sink").noneMatch(this::isRefused);
        Map<Key, Cell> expected = expected();
        Map<Key, Cell> all = new HashMap<>(results);
        refusedGroups.forEach((key, cells) -> {
            assertThat(isRefused(key)).as("%s is refused", key).isTrue();
            Cell whole = expected.get(key);
            // Where partitions share windows, all records of a share may be late when they are read again, after its
            // dead letter.
            if (whole != null || isOfOnePartition(key)) {
                all.put(key, cells.contains(whole) ? whole : cells.get(cells.size() - 1));
            }
        });
        return all;
    }

    private boolean isOfOnePartition(Key key) {
        return !mixed && partitionsOf((int) key.key() / 10).size() == 1;
    }

    private void add(List<Entry> entries, Random random, int partition, long begin, int count) {
        long time = begin;
        boolean ahead = false;
        for (int i = 0; i < count; i++) {
            time += random.nextInt(12);
            long key = mixed ? random.nextInt(5) : share(partition) * 10L + random.nextInt(3);
            // Not with lateness: what has been written, but not for good, may be late when it is read again beside
            // other partitions.
            boolean tardy = pauses && lateness == 0 && random.nextInt(10) == 0;
            long at = time - random.nextInt((int) (tardy ? DISORDER + 2 * SIZE : DISORDER));
            Entry copied = within > 0 && random.nextInt(8) == 0 ? copied(random, partition, time) : null;
            if (copied != null) {
                sentTwice.add(copied.id());
                entries.add(copied);
                continue;
            }
            int number = inCell.merge(new Key(windowEnd(at), key), 1, Integer::sum) - 1;
            if (number < MOST_IN_CELL) {
                boolean bad = random.nextInt(40) == 0;
                ahead = random.nextInt(8) == 0 ? !ahead : ahead;
                // With lateness, results that are not final may contain what a later run refuses.
                boolean isAhead = !bad && ahead && lateness == 0;
                long id = bad || isAhead || within == 0 ? 0 : id(random, entries);
                entries.add(new Entry(at, key, 1L << number, bad, isAhead, id));
            }
        }
    }

    /** Returns no id, that of a record before it, or a new one. */
    private long id(Random random, List<Entry> before) {
        if (random.nextInt(8) == 0) {
            return 0;
        }
        int back = 1 + random.nextInt(12);
        long id = random.nextBoolean() && back <= before.size()
                ? before.get(before.size() - back).id()
                : 0;
        if (id == 0 || sentTwice.contains(id)) {
            return ++lastId;
        }
        usedTwice.add(id);
        return id;
    }

    /** Returns a record of another partition whose rows are aggregated together, which fits between others; null if none does. */
    private Entry copied(Random random, int partition, long time) {
        List<Entry> fitting = partitions.entrySet().stream()
                .filter(each -> !each.getKey().equals("u" + partition))
                .filter(each -> mixed || share(each.getKey()) == share(partition))
                .flatMap(each -> each.getValue().stream())
                .filter(each -> each.id() != 0 && !usedTwice.contains(each.id()))
                .filter(each -> each.time() <= time && each.time() > time - DISORDER)
                .toList();
        return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
    }

    /**
     * A log loses its last records, as when a leader is elected uncleanly, or all of them, as when a topic is made anew; others come in
     * their place. Who opens it next knows from where on. No process is alive.
     */
    void cutOne(Random random) {
        int number = random.nextInt(partitions.size());
        String partition = "u" + number;
        List<Entry> log = partitions.get(partition);
        int from = random.nextInt(3) == 0 ? 0 : random.nextInt(grown.get(partition) + 1);
        List<Entry> gone = log.subList(from, log.size());
        long begin = gone.isEmpty() ? Math.max(shown, -10_000_000) : gone.get(0).time();
        gone.subList(0, Math.max(0, Math.min(gone.size(), grown.get(partition) - from)))
                .forEach(entry -> cut.merge(entry.cell(), entry.value(), (a, b) -> a | b));
        gone.clear();
        add(log, random, number, begin, random.nextInt(60));
        grown.put(partition, from);
        List.of(late, dead, lateWritten, refusedBefore)
                .forEach(places ->
                        places.removeIf(place -> place.partition().equals(partition) && place.position() >= from));
        positions.computeIfPresent(partition, (any, commit) -> commit.before(from == 0 ? EARLIEST : from));
        hasEnded = true;
    }

    /** Records of now, of long ago, of the days to come, or from before all time. */
    private long begin(Random random) {
        long[] begins = {clock, clock - 10_000_000_000L, clock + 50_000_000L, 0, -10_000_000};
        return begins[random.nextInt(begins.length)];
    }

    static long windowEnd(long time) {
        return Math.floorDiv(time, SIZE) * SIZE + SIZE;
    }

    /** Some of its next records come to a partition, or to none. */
    void grow(Random random, Map<String, Integer> most) {
        String partition = "u" + random.nextInt(partitions.size());
        int has = grown.get(partition);
        if (has < most.get(partition) && random.nextInt(4) == 0) {
            grown.put(partition, Math.min(most.get(partition), has + 1 + random.nextInt(10)));
        }
    }

    /** Whether everything that will ever be in the log is done. */
    boolean isDone() {
        return partitions.entrySet().stream()
                .allMatch(partition -> IntStream.range(
                                next(partition.getKey()), partition.getValue().size())
                        .allMatch(i -> isDone(partition.getKey(), i)));
    }

    /** Whether a record that will be read again, because of its id, is in all results. Duplicates may be in none that say so. */
    private boolean isDone(String partition, int position) {
        Entry entry = partitions.get(partition).get(position);
        long end = entry.bad() ? Long.MIN_VALUE : windowEnd(entry.time());
        return within > 0
                && (isDuplicate(partition, position)
                        || sentTwice.contains(entry.id())
                        || position(partition).processed().covers(position, end));
    }

    /** Whether a record has the id of one before it in its partition. */
    private boolean isDuplicate(String partition, int position) {
        List<Entry> log = partitions.get(partition);
        Entry entry = log.get(position);
        return entry.id() != 0
                && log.subList(0, position).stream()
                        .anyMatch(each -> each.id() == entry.id() && Math.abs(each.time() - entry.time()) <= within);
    }

    /** A part of all records, more than there are. */
    Map<String, Integer> more(Random random, boolean all) {
        Map<String, Integer> more = new HashMap<>();
        partitions.forEach((partition, log) -> {
            int left = log.size() - grown.get(partition);
            more.put(partition, grown.get(partition) + (all ? left : random.nextInt(left + 1)));
        });
        return more;
    }

    /** An input has come to its end, or may have before a process died: its windows are closed. */
    void end() {
        endedUntil = windowEnd(shown);
    }

    /** Up to where windows may be closed: by no more than records have shown, but at the end of an input. */
    long mayBeClosedUntil() {
        return Math.max(endedUntil, shown - DISORDER - lateness);
    }

    void append(SimulatedProcess process, Key key, Cell cell) {
        appended.put(key, cell);
        Map<SimulatedProcess, Cell> cells = appendedBy.computeIfAbsent(key, any -> new HashMap<>());
        if (!moves) {
            cells.clear();
        }
        cells.put(process, cell);
    }

    /** A commit's answer has not come, and perhaps never will. */
    void doubt(Runnable commit) {
        undecided = commit;
    }

    /** It takes effect now, unless it had before. */
    void settle() {
        if (undecided != null) {
            undecided.run();
            undecided = null;
        }
    }

    /** Who takes over waits until it is decided what has become of the last transaction. */
    void settle(Random random) {
        if (random.nextBoolean()) {
            settle();
        }
        undecided = null;
    }

    /** Each record must be in one result, late, or a dead letter, and nowhere else. */
    void checkEachIsOnce(Map<Key, Cell> in) {
        if (uncertain().isEmpty()) {
            assertThat(in).as("results").isEqualTo(expected());
        } else {
            assertThat(withoutCut(in))
                    .as("results of records that were not cut")
                    .isEqualTo(withoutCut(expected()));
        }
        assertThat(againAside).as("late or dead again").isEmpty();
    }

    /** Nothing may be lost. */
    void checkNoneIsLost() {
        Map<Key, Cell> kept = withRefusedGroups();
        checkNoneIsLost("results", key -> List.of(kept.getOrDefault(key, Cell.EMPTY)));
        // Where partitions move, a process that has lost its partitions may append its result of a window after the new
        // owner. In each of the two, other records may be late. The result of the owner has all that are not.
        checkNoneIsLost(
                "appended", key -> appendedBy.getOrDefault(key, Map.of()).values());
    }

    private void checkNoneIsLost(String place, Function<Key, Collection<Cell>> results) {
        Map<Key, Long> uncertain = uncertain();
        expected().forEach((key, cell) -> {
            long certain = cell.sum() & ~uncertain.getOrDefault(key, 0L);
            Collection<Cell> cells = results.apply(key);
            boolean isWhole = cells.stream().anyMatch(each -> (each.sum() & certain) == certain);
            assertThat(certain == 0 || isWhole)
                    .as("%s: %d in a result of %s, which are %s", place, certain, key, cells)
                    .isTrue();
        });
    }

    /** Late rows and dead letters must be as their times and the records say. */
    void checkAside() {
        partitions.forEach((partition, log) -> {
            for (int i = 0; i < log.size(); i++) {
                if (!log.get(i).ahead()) {
                    assertThat(dead.contains(new Place(partition, i)))
                            .as("%s %d is a dead letter", partition, i)
                            .isEqualTo(log.get(i).bad());
                }
            }
        });
        if (!pauses && !hasEnded) {
            assertThat(late).isEmpty();
        }
    }

    /**
     * What is late, and what counts, must not depend on which records came together in a chunk: where only one partition is in a share, no
     * process may have written a row as late that another one has counted.
     */
    void checkLateIsNowhereElse(Map<Key, Cell> in) {
        lateWritten.stream()
                .filter(place -> partitionsOf(share(place.partition())).size() == 1)
                .forEach(place -> {
                    Entry entry = entry(place);
                    assertThat(in.getOrDefault(entry.cell(), Cell.EMPTY).sum() & entry.value())
                            .as("%s, written as late, in the result of %s", place, entry.cell())
                            .isZero();
                });
    }

    /** Sums alone: nobody knows how many of the records that were cut had been added. */
    private Map<Key, Long> withoutCut(Map<Key, Cell> in) {
        Map<Key, Long> rest = new HashMap<>();
        Map<Key, Long> uncertain = uncertain();
        in.forEach((key, cell) -> rest.put(key, cell.sum() & ~uncertain.getOrDefault(key, 0L)));
        rest.values().removeIf(sum -> sum == 0);
        return rest;
    }

    /** The values that may be in results or not. */
    private Map<Key, Long> uncertain() {
        Map<Key, Long> uncertain = sentLate();
        cut.forEach((key, value) -> uncertain.merge(key, value, (a, b) -> a | b));
        return uncertain;
    }

    /**
     * The values of records that were sent twice and were late once. The order of the two decides whether the other one counts. It may be
     * dropped for good as a duplicate of a late row that was written, but that the next run reads again, after the other one.
     */
    private Map<Key, Long> sentLate() {
        Map<Key, Long> sentLate = new HashMap<>();
        partitions.forEach((partition, log) -> {
            for (int i = 0; i < log.size(); i++) {
                Entry entry = log.get(i);
                boolean isLate = lateWritten.contains(new Place(partition, i));
                if (isLate && sentTwice.contains(entry.id())) {
                    sentLate.merge(entry.cell(), entry.value(), (a, b) -> a | b);
                }
            }
        });
        return sentLate;
    }

    /** What must be in the results, computed the simple way. */
    private Map<Key, Cell> expected() {
        Map<Key, Cell> cells = new HashMap<>();
        Set<Long> sent = new HashSet<>();
        partitions.forEach((partition, log) -> {
            for (int i = 0; i < log.size(); i++) {
                Entry entry = log.get(i);
                Place place = new Place(partition, i);
                boolean counts = !entry.bad() && !late.contains(place) && !dead.contains(place);
                if (counts && !isDuplicate(partition, i) && (!sentTwice.contains(entry.id()) || sent.add(entry.id()))) {
                    cells.merge(
                            entry.cell(),
                            new Cell(entry.value(), 1),
                            (a, b) -> new Cell(a.sum() + b.sum(), a.count() + b.count()));
                }
            }
        });
        return cells;
    }

    private int share(int partition) {
        return partition / partitionsOfGroup;
    }

    int share(String partition) {
        return share(Integer.parseInt(partition.substring(1)));
    }

    Entry entry(Place place) {
        return partitions.get(place.partition()).get((int) place.position());
    }

    List<Integer> groups() {
        return partitions.keySet().stream().map(this::share).distinct().toList();
    }

    List<String> partitionsOf(int share) {
        return partitions.keySet().stream()
                .filter(partition -> share(partition) == share)
                .toList();
    }

    /** The first record of a partition that is not done. */
    int next(String partition) {
        return (int) Math.max(0, position(partition).position());
    }

    PartitionPosition position(String partition) {
        return positions.getOrDefault(partition, new PartitionPosition(partition, EARLIEST, Long.MIN_VALUE));
    }
}
