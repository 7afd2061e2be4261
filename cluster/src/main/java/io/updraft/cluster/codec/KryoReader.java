package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.utils.ListDelegate;

/**
 * Reads the values that only the topology's Kryo can read. Kryo sees only its own bytes. Kryo may read fewer bytes than it is
 * given: in Storm the last field may do so as well.
 */
final class KryoReader {

    private static final byte[] NOTHING = {};

    private final Kryo kryo;
    private final BoundedInput input = new BoundedInput();

    KryoReader(Map<String, Object> conf) {
        this.kryo = SerializationFactory.getKryo(conf);
    }

    Object read(byte[] bytes, int offset, int length) {
        try {
            input.setBuffer(bytes, offset, length);
            return kryo.readClassAndObject(input);
        } catch (RuntimeException | Error e) {
            kryo.reset();
            throw e;
        } finally {
            input.setBuffer(NOTHING);
        }
    }

    List<Object> readAll(byte[] bytes, int offset, int length) {
        try {
            input.setBuffer(bytes, offset, length);
            return kryo.readObject(input, ListDelegate.class).getDelegate();
        } catch (RuntimeException | Error e) {
            kryo.reset();
            throw e;
        } finally {
            input.setBuffer(NOTHING);
        }
    }
}
