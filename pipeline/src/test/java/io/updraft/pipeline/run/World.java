package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What outlives a process in the simulation: the log that is read, the positions, the results; and who owns which unit. Records are a
 * time, a key and a value; keys belong to one unit each, unless the world is mixed.
 */
final class World {

    /** How many units are in a group: units 0 and 1 in the first, and so on. */
    static final int GROUP = 2;

    static final long SIZE = 100;
    static final long DISORDER = 150;

    record Entry(long time, long key, long value) {}

    record Key(long windowEnd, long key) {}

    /** Whether units may come back after they have ended, so that a source never has an end. */
    boolean endless;

    final Map<String, List<Entry>> units = new TreeMap<>();
    final Map<String, Commit> positions = new HashMap<>();
    final Map<Key, Long> results = new HashMap<>();
    final Map<String, Process> owners = new HashMap<>();

    /** The right to each unit: a new one with each owner. */
    final Map<String, Source.Claim> claims = new HashMap<>();

    /** Keys that were written more than once: none may be if results and positions are kept together. */
    final List<Key> rewritten = new ArrayList<>();

    /** What the sink that appends has. */
    final Map<Key, Long> appended = new HashMap<>();

    /** Keys that one process has appended more than once: none may be, however other sinks fail, while units do not come back. */
    final List<Key> repeated = new ArrayList<>();

    World(Random random, int unitCount, int most, boolean mixed) {
        for (int unit = 0; unit < unitCount; unit++) {
            List<Entry> entries = new ArrayList<>();
            long time = random.nextInt(300);
            int count = random.nextInt(most);
            for (int i = 0; i < count; i++) {
                time += random.nextInt(12);
                long key = mixed ? random.nextInt(5) : group(unit) * 10L + random.nextInt(3);
                entries.add(new Entry(time - random.nextInt((int) DISORDER), key, random.nextInt(100)));
            }
            units.put("u" + unit, entries);
        }
    }

    /** What must be in the results in the end, computed the simple way. */
    Map<Key, Long> expected() {
        Map<Key, Long> sums = new HashMap<>();
        units.values().stream()
                .flatMap(List::stream)
                .forEach(entry -> sums.merge(
                        new Key(Math.floorDiv(entry.time(), SIZE) * SIZE + SIZE, entry.key()),
                        entry.value(),
                        Long::sum));
        return sums;
    }

    static int group(int unit) {
        return unit / GROUP;
    }

    static int group(String unit) {
        return group(Integer.parseInt(unit.substring(1)));
    }

    List<Integer> groups() {
        return units.keySet().stream().map(World::group).distinct().toList();
    }

    List<String> unitsOf(int group) {
        return units.keySet().stream().filter(unit -> group(unit) == group).toList();
    }

    Commit position(String unit) {
        return positions.getOrDefault(unit, new Commit(unit, 0, Long.MIN_VALUE));
    }
}
