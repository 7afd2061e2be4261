package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.util.Map;
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
        this.kryo = ProgramKryoFactory.kryo(conf);
    }

    /** Reads one value, or a {@link ListDelegate} of all values that {@code topology.tuple.serializer} has written. */
    Object read(byte[] bytes, int offset, int length, boolean all) {
        try {
            input.setBuffer(bytes, offset, length);
            return all ? kryo.readObject(input, ListDelegate.class) : kryo.readClassAndObject(input);
        } catch (RuntimeException | Error e) {
            kryo.reset();
            throw e;
        } finally {
            input.setBuffer(NOTHING);
        }
    }

    /**
     * Kryo's input with a check of announced lengths. It rejects a length of a string or of an array of primitives that exceeds the
     * remaining bytes. Kryo itself allocates first and fails later.
     */
    static final class BoundedInput extends Input {
        private void announce(long count) {
            if (count < 0 || count > limit - position) {
                throw new KryoException(
                        "a length of " + count + ", but only " + (limit - position) + " bytes are left");
            }
        }

        @Override
        public byte[] readBytes(int length) {
            announce(length);
            return super.readBytes(length);
        }

        @Override
        public int[] readInts(int length) {
            announce(length * 4L);
            return super.readInts(length);
        }

        @Override
        public int[] readInts(int length, boolean optimizePositive) {
            announce(length);
            return super.readInts(length, optimizePositive);
        }

        @Override
        public long[] readLongs(int length) {
            announce(length * 8L);
            return super.readLongs(length);
        }

        @Override
        public long[] readLongs(int length, boolean optimizePositive) {
            announce(length);
            return super.readLongs(length, optimizePositive);
        }

        @Override
        public float[] readFloats(int length) {
            announce(length * 4L);
            return super.readFloats(length);
        }

        @Override
        public double[] readDoubles(int length) {
            announce(length * 8L);
            return super.readDoubles(length);
        }

        @Override
        public short[] readShorts(int length) {
            announce(length * 2L);
            return super.readShorts(length);
        }

        @Override
        public char[] readChars(int length) {
            announce(length * 2L);
            return super.readChars(length);
        }

        @Override
        public boolean[] readBooleans(int length) {
            announce(length);
            return super.readBooleans(length);
        }

        @Override
        public String readString() {
            announceString();
            return super.readString();
        }

        @Override
        public StringBuilder readStringBuilder() {
            announceString();
            return super.readStringBuilder();
        }

        /**
         * Checks the length of a string, 1 + chars, without consuming it. A string without a length ends at the first byte with the
         * end bit.
         */
        private void announceString() {
            int start = position;
            if (readVarIntFlag()) {
                int charsAndOne = readVarIntFlag(true);
                announce(Math.max(0, charsAndOne - 1L));
            }
            position = start;
        }
    }
}
