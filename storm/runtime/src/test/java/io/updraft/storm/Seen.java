package io.updraft.storm;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Observations of programs in other class loaders, all of which share this class. */
public final class Seen {
    private static final Map<String, Set<String>> FACTS = new ConcurrentHashMap<>();
    private static final Map<String, AtomicLong> COUNTS = new ConcurrentHashMap<>();

    private static final Map<String, WeakReference<ClassLoader>> LOADERS = new ConcurrentHashMap<>();

    private Seen() {}

    /** Notes a fact of a topology. */
    public static void fact(String topology, String fact) {
        FACTS.computeIfAbsent(topology, name -> ConcurrentHashMap.newKeySet()).add(fact);
    }

    /** Counts something of a topology. */
    public static void count(String topology) {
        counter(topology).incrementAndGet();
    }

    /** Notes the class loader of a topology, without keeping it. */
    public static void loader(String topology, ClassLoader loader) {
        LOADERS.put(topology, new WeakReference<>(loader));
    }

    public static WeakReference<ClassLoader> loaderOf(String topology) {
        return LOADERS.get(topology);
    }

    public static Set<String> factsOf(String topology) {
        return FACTS.getOrDefault(topology, Set.of());
    }

    public static long countOf(String topology) {
        return counter(topology).get();
    }

    private static AtomicLong counter(String topology) {
        return COUNTS.computeIfAbsent(topology, name -> new AtomicLong());
    }
}
