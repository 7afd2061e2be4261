package io.updraft.storm.instrument;

import io.updraft.storm.instrument.Watcher.SpoutMessage;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.shade.com.google.common.collect.MapMaker;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * Detects values that change after their emit: tasks in one JVM share them. The guard records the values at the emit. It
 * compares them before and after a bolt executes the tuple, and before the bolt acks or fails it. It also compares them when
 * the spout receives the ack, and when the same list is emitted again. Each changed field is reported once.
 */
final class MutationCheck implements Watcher {

    private final TopologyContext context;
    private final EmittedValuesRegistry emittedValues;
    private final Consumer<Throwable> report;
    private final ValueSerializer serializer;

    public MutationCheck(
            TopologyContext context,
            Map<String, Object> conf,
            EmittedValuesRegistry seals,
            Consumer<Throwable> report) {
        this.context = context;
        this.emittedValues = seals;
        this.report = report;
        this.serializer = new ValueSerializer(conf);
    }

    @Override
    public List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        check(original, "when component '" + context.getThisComponentId() + "' emitted the same list again");
        EmittedValues first = record(stream, original, null);
        put(original, first);
        if (values != original) {
            put(values, record(stream, values, first.isNeeded() ? first : null));
        }
        return values;
    }

    private void put(List<Object> values, EmittedValues seal) {
        if (seal.isNeeded()) {
            emittedValues.put(values, seal);
        }
    }

    private EmittedValues record(String stream, List<Object> values, EmittedValues before) {
        Object[] all = values.toArray();
        byte[][] written = new byte[all.length][];
        String[] subjects = new String[all.length];
        for (int i = 0; i < all.length; i++) {
            written[i] = serializer.of(all[i]);
            subjects[i] = written[i] == null ? "" : SerializationCheck.describe(context, stream, i, all[i]);
        }
        return new EmittedValues(context.getThisComponentId(), stream, subjects, all, written, before);
    }

    @Override
    public void executing(Tuple input) {
        check(input.getValues(), "before component '" + context.getThisComponentId() + "' executed it");
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        check(input.getValues(), "while component '" + context.getThisComponentId() + "' executed it");
    }

    @Override
    public void settling(Tuple input) {
        check(input.getValues(), "before component '" + context.getThisComponentId() + "' acked or failed it");
    }

    @Override
    public void spoutAcked(SpoutMessage message) {
        if (message.values() != null) {
            check(message.values(), "before its message was acked");
        }
    }

    private void check(List<Object> values, String when) {
        EmittedValues seal = emittedValues.of(values);
        if (seal != null) {
            check(seal, values, when);
            if (seal.before() != null) {
                check(seal.before(), null, when);
            }
        }
    }

    private void check(EmittedValues seal, List<Object> now, String when) {
        int field = now == null ? EmittedValues.NONE : seal.replaced(now);
        if (field != EmittedValues.NONE) {
            reportChange(seal, "field " + field, "was replaced in the list that was emitted, " + when);
            return;
        }
        int changed = seal.changed(serializer);
        if (changed != EmittedValues.NONE) {
            reportChange(seal, seal.subjects()[changed], "was changed after the emit, " + when);
        }
    }

    private void reportChange(EmittedValues seal, String field, String change) {
        String subject = "a tuple of component '" + seal.component() + "' on stream '" + seal.stream() + "': " + field;
        if (emittedValues.isFirst(subject)) {
            report.accept(new MutatedValueException(subject + " " + change
                    + "; all receivers share the tuple: emit a copy, and do not change emitted or received values"
                    + " (each field is reported once)"));
        }
    }

    /** Writes values as bytes, to detect later changes. Uses Kryo, and Java's serialization for classes that Kryo does not know. */
    private static final class ValueSerializer {

        private final Map<String, Object> conf;
        private KryoValuesSerializer writer;
        private KryoValuesDeserializer reader;

        ValueSerializer(Map<String, Object> topologyConf) {
            conf = new HashMap<>(topologyConf);
            conf.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true);
        }

        /** Returns a value as bytes; null if the value is immutable or cannot be written. */
        synchronized byte[] of(Object value) {
            if (ImmutableTypes.isImmutable(value)) {
                return null;
            }
            try {
                return write(value);
            } catch (RuntimeException | StackOverflowError e) {
                writer = null;
                return null;
            }
        }

        /**
         * Returns whether a value has changed. A value with other bytes that is equal to its recorded copy has not changed: it may
         * hold a cache.
         */
        synchronized boolean differ(Object value, byte[] print) {
            try {
                return !Arrays.equals(write(value), print) && !value.equals(reader.deserializeObject(print));
            } catch (ConcurrentModificationException e) {
                writer = null;
                return true;
            } catch (RuntimeException | StackOverflowError e) {
                writer = null;
                return false;
            }
        }

        private byte[] write(Object value) {
            if (writer == null) {
                writer = new KryoValuesSerializer(conf);
                reader = new KryoValuesDeserializer(conf);
            }
            return writer.serializeObject(value);
        }
    }

    /** The seals of tuples emitted in this JVM, by the list of values, which the tuple carries. Safe to use from any thread. */
    public static final class EmittedValuesRegistry {

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

        boolean isFirst(String subject) {
            return reported.add(subject);
        }
    }

    /**
     * The values of a tuple at its emit, with descriptions of the fields for messages. Each value is also kept as bytes, null
     * if it is immutable or cannot be written. {@code before} is the seal of the list of which these values are a copy, or
     * null.
     */
    private record EmittedValues(
            String component,
            String stream,
            String[] subjects,
            Object[] values,
            byte[][] serialized,
            EmittedValues before) {

        static final int NONE = -1;

        boolean isNeeded() {
            return before != null || Arrays.stream(serialized).anyMatch(print -> print != null);
        }

        /** Returns the first field whose value in the list was replaced, or {@link #NONE}. */
        int replaced(List<Object> now) {
            for (int i = 0; i < values.length; i++) {
                if (i >= now.size() || now.get(i) != values[i]) {
                    return i;
                }
            }
            return NONE;
        }

        /** Returns the first field whose value has changed, or {@link #NONE}. */
        int changed(ValueSerializer by) {
            for (int i = 0; i < values.length; i++) {
                if (serialized[i] != null && by.differ(values[i], serialized[i])) {
                    return i;
                }
            }
            return NONE;
        }
    }
}
