package io.updraft.kafka.share;

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
 * Computes which member owns which share, as a pure function of the current owners. Each of m members gets n/m of n shares. The
 * first n%m members, those with the most shares now first, get one more. Each member keeps as many of its shares as its quota
 * allows, so no other balanced allocation moves fewer shares.
 */
final class ShareAllocation {

    private ShareAllocation() {}

    /**
     * Returns the next allocation. The same arguments give the same result on every machine.
     *
     * @param present the current owner by share; members that are gone and shares that no longer exist are ignored
     * @return the owner of each share; empty without members
     */
    static SortedMap<Integer, String> next(int shares, Collection<String> members, Map<Integer, String> present) {
        SortedMap<String, SortedSet<Integer>> owned = ownedByMember(shares, members, present);
        SortedMap<Integer, String> next = new TreeMap<>();
        if (owned.isEmpty()) {
            return next;
        }
        Map<String, Integer> quotas = quotas(shares, owned);
        owned.forEach(
                (member, kept) -> kept.stream().limit(quotas.get(member)).forEach(share -> next.put(share, member)));
        Deque<Integer> free = new ArrayDeque<>();
        for (int share = 0; share < shares; share++) {
            if (!next.containsKey(share)) {
                free.add(share);
            }
        }
        owned.forEach((member, kept) -> {
            for (int had = kept.size(); had < quotas.get(member); had++) {
                next.put(free.remove(), member);
            }
        });
        return next;
    }

    private static SortedMap<String, SortedSet<Integer>> ownedByMember(
            int shares, Collection<String> members, Map<Integer, String> present) {
        SortedMap<String, SortedSet<Integer>> owned = new TreeMap<>();
        members.forEach(member -> owned.put(member, new TreeSet<>()));
        present.forEach((share, member) -> {
            if (share < shares && owned.containsKey(member)) {
                owned.get(member).add(share);
            }
        });
        return owned;
    }

    private static Map<String, Integer> quotas(int shares, SortedMap<String, SortedSet<Integer>> owned) {
        List<String> richestFirst = new ArrayList<>(owned.keySet());
        richestFirst.sort(
                Comparator.<String>comparingInt(member -> -owned.get(member).size())
                        .thenComparing(Comparator.naturalOrder()));
        Map<String, Integer> quotas = new TreeMap<>();
        for (int i = 0; i < richestFirst.size(); i++) {
            int more = i < shares % richestFirst.size() ? 1 : 0;
            quotas.put(richestFirst.get(i), shares / richestFirst.size() + more);
        }
        return quotas;
    }
}
