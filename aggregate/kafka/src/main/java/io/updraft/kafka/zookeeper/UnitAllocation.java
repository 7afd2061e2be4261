package io.updraft.kafka.zookeeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes which member owns which unit, as a pure function of the current owners. Each of m members gets n/m of n units. The
 * first n%m members, those with the most units now first, get one more. Each member keeps as many of its units as its share
 * allows, so no other balanced allocation moves fewer units.
 */
final class UnitAllocation {

    private UnitAllocation() {}

    /**
     * Returns the next allocation. The same arguments give the same result on every machine.
     *
     * @param present the current owner by unit; members that are gone and units that no longer exist are ignored
     * @return the owner of each unit; empty without members
     */
    static SortedMap<Integer, String> next(int units, Collection<String> members, Map<Integer, String> present) {
        SortedMap<String, SortedSet<Integer>> owned = ownedByMember(units, members, present);
        SortedMap<Integer, String> next = new TreeMap<>();
        if (owned.isEmpty()) {
            return next;
        }
        Map<String, Integer> shares = shares(units, owned);
        owned.forEach((member, its) -> its.stream().limit(shares.get(member)).forEach(unit -> next.put(unit, member)));
        Deque<Integer> free = new ArrayDeque<>();
        for (int unit = 0; unit < units; unit++) {
            if (!next.containsKey(unit)) {
                free.add(unit);
            }
        }
        owned.forEach((member, its) -> {
            for (int had = its.size(); had < shares.get(member); had++) {
                next.put(free.remove(), member);
            }
        });
        return next;
    }

    private static SortedMap<String, SortedSet<Integer>> ownedByMember(
            int units, Collection<String> members, Map<Integer, String> present) {
        SortedMap<String, SortedSet<Integer>> owned = new TreeMap<>();
        members.forEach(member -> owned.put(member, new TreeSet<>()));
        present.forEach((unit, member) -> {
            if (unit < units && owned.containsKey(member)) {
                owned.get(member).add(unit);
            }
        });
        return owned;
    }

    private static Map<String, Integer> shares(int units, SortedMap<String, SortedSet<Integer>> owned) {
        List<String> richestFirst = new ArrayList<>(owned.keySet());
        richestFirst.sort(
                Comparator.<String>comparingInt(member -> -owned.get(member).size())
                        .thenComparing(Comparator.naturalOrder()));
        Map<String, Integer> shares = new TreeMap<>();
        for (int i = 0; i < richestFirst.size(); i++) {
            int more = i < units % richestFirst.size() ? 1 : 0;
            shares.put(richestFirst.get(i), units / richestFirst.size() + more);
        }
        return shares;
    }
}
