package io.updraft.storm.instrument.check;

import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;

/** Writes values as bytes, to detect later changes. Uses Kryo, and Java's serialization for classes that Kryo does not know. */
final class ValueSerializer {

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
