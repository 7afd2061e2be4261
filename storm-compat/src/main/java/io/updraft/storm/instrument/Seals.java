package io.updraft.storm.instrument;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.shade.com.google.common.collect.MapMaker;

/** The seals of what was emitted in this JVM, by the list of values itself: a tuple carries it. Safe from any thread. */
final class Seals {

    /** Weak keys are compared by identity; a seal goes when nobody has the tuple any more. */
    private final Map<List<Object>, Seal> byValues = new MapMaker().weakKeys().makeMap();

    /** What was reported already: component, stream and field. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void put(List<Object> values, Seal seal) {
        byValues.put(values, seal);
    }

    Seal of(List<Object> values) {
        return byValues.get(values);
    }

    /** Whether this is the first time that a field is found changed. */
    boolean isFirst(String subject) {
        return reported.add(subject);
    }
}
