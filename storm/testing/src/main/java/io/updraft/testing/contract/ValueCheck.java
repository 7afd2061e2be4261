package io.updraft.testing.contract;

import io.updraft.base.text.OneLine;
import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;

/**
 * Passes emitted values through the serialization between workers, and checks that they are not changed later. Values are
 * compared by {@code equals}, arrays by their elements. Values whose class does not define {@code equals} are compared by their
 * serialized bytes.
 */
final class ValueCheck {
    private final ViolationCollector findings;
    private final KryoValuesSerializer serializer;
    private final KryoValuesDeserializer deserializer;
    private final List<Emitted> emitted = new ArrayList<>();

    private record Emitted(String stream, List<Object> values, byte[] bytes) {}

    ValueCheck(Map<String, Object> conf, ViolationCollector findings) {
        this.findings = findings;
        this.serializer = new KryoValuesSerializer(conf);
        this.deserializer = new KryoValuesDeserializer(conf);
    }

    /**
     * Checks emitted values. Returns the values that another worker would receive, or the given values if they cannot be
     * serialized.
     */
    List<Object> emitted(String stream, List<Object> values) {
        byte[] bytes = bytesOf("stream '" + stream + "'", values);
        if (bytes == null) {
            return values;
        }
        emitted.add(new Emitted(stream, values, bytes));
        List<Object> there = deserializer.deserialize(bytes);
        for (int i = 0; i < values.size(); i++) {
            compare(stream, i, values.get(i), there.get(i));
        }
        return there;
    }

    private void compare(String stream, int index, Object here, Object there) {
        boolean alike = Objects.deepEquals(here, there)
                || here != null
                        && there != null
                        && here.getClass() == there.getClass()
                        && Arrays.equals(bytesOf("", List.of(here)), bytesOf("", List.of(there)));
        if (!alike) {
            findings.add(
                    Rule.SERIALIZABLE_VALUES,
                    "value " + index + " of stream '" + stream + "', a "
                            + here.getClass().getName() + ", changes between workers: " + here + " arrives as "
                            + there);
        }
    }

    void end() {
        for (Emitted each : emitted) {
            byte[] now = bytesOf("stream '" + each.stream() + "'", each.values());
            if (now != null && !Arrays.equals(now, each.bytes())) {
                findings.add(
                        Rule.LEAVES_EMITTED_VALUES_ALONE,
                        "a value of stream '" + each.stream() + "' was changed after it was emitted; the tuple is now "
                                + each.values() + ": emit a copy");
            }
        }
        emitted.clear();
    }

    /** Returns the serialized bytes of some values. Adds a violation and returns null if they cannot be serialized. */
    byte[] bytesOf(String subject, List<Object> values) {
        try {
            return serializer.serialize(values);
        } catch (RuntimeException e) {
            findings.add(
                    Rule.SERIALIZABLE_VALUES,
                    "values of " + subject + " cannot be serialized: "
                            + OneLine.first(e)
                            + "; register their classes (topology.kryo.register) or make them Serializable");
            return null;
        }
    }
}
