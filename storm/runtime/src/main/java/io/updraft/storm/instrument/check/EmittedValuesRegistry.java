package io.updraft.storm.instrument.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.shade.com.google.common.collect.MapMaker;

/** The seals of tuples emitted in this JVM, by the list of values, which the tuple carries. Safe to use from any thread. */
public final class EmittedValuesRegistry {

    /** Weak keys are compared by identity. A seal is removed when its tuple is garbage. */
    private final Map<List<Object>, EmittedValues> byValues =
            new MapMaker().weakKeys().makeMap();

    /** The reported fields: component, stream and field. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void put(List<Object> values, EmittedValues seal) {
        byValues.put(values, seal);
    }

    EmittedValues of(List<Object> values) {
        return byValues.get(values);
    }

    /** Returns whether this is the first report of a field. */
    boolean isFirst(String subject) {
        return reported.add(subject);
    }
}
