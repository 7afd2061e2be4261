package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.Output;
import io.updraft.cluster.codec.FrameOutput.FrameFull;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.ListDelegate;

/** Writes the values of tuples: the common types directly, all others with Kryo. */
final class ValueWriter {
    private final FrameOutput out;
    private final KryoWriter kryo;

    /** Whether {@code topology.tuple.serializer} is not Storm's own. Then it writes all values, because it may encrypt them. */
    private final boolean whole;

    /** The index of the value that is being written; names the field when the write fails. */
    private int index;

    ValueWriter(FrameOutput out, KryoWriter kryo, boolean whole) {
        this.out = out;
        this.kryo = kryo;
        this.whole = whole;
    }

    /** Returns the code for the number of values that the frame holds: 1 + number, or 0 for one Kryo object. */
    int form(List<Object> values) {
        return whole ? 0 : values.size() + 1;
    }

    int index() {
        return index;
    }

    void writeAll(List<Object> values, int form) {
        index = 0;
        if (form == 0) {
            kryo.writeAll(out, values);
            return;
        }
        for (int i = 0; i < form - 1; i++) {
            index = i;
            write(values.get(i));
        }
    }

    private void write(Object value) {
        if (value instanceof String text) {
            writeString(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof Long number) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putByte(BatchLayout.LONG);
            out.putZigzag(number);
        } else if (value instanceof Integer number) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putByte(BatchLayout.INTEGER);
            out.putZigzag(number);
        } else {
            out.ensure(BatchLayout.MAX_HEAD);
            writeOther(value);
        }
    }

    private void writeOther(Object value) {
        if (value == null) {
            out.putByte(BatchLayout.NULL);
        } else if (value instanceof Boolean truth) {
            out.putByte(truth ? BatchLayout.TRUE : BatchLayout.FALSE);
        } else if (value instanceof Double number) {
            out.putByte(BatchLayout.DOUBLE);
            out.putLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof Float number) {
            out.putByte(BatchLayout.FLOAT);
            out.putInt(Float.floatToRawIntBits(number));
        } else if (value instanceof Short number) {
            out.putByte(BatchLayout.SHORT);
            out.putZigzag(number);
        } else if (value instanceof Byte number) {
            out.putByte(BatchLayout.BYTE);
            out.putByte(number);
        } else if (value instanceof Character letter) {
            out.putByte(BatchLayout.CHARACTER);
            out.putVarint(letter);
        } else {
            out.putByte(BatchLayout.KRYO);
            kryo.write(out, value);
        }
    }

    private void writeBytes(byte[] bytes) {
        int length = bytes.length;
        ensure(length);
        putLength(BatchLayout.SHORT_BYTES, BatchLayout.BYTES, length);
        out.putBytes(bytes, length);
    }

    void writeString(String text) {
        int length = text.length();
        if (isLatin1(text, length)) {
            ensure(length);
            putLength(BatchLayout.SHORT_LATIN1, BatchLayout.LATIN1, length);
            out.putLatin1(text, length);
        } else {
            ensure(2L * length);
            out.putByte(BatchLayout.UTF16);
            out.putVarint(length);
            out.putUtf16(text, length);
        }
    }

    private void ensure(long length) {
        long count = length + BatchLayout.MAX_HEAD;
        if (count > Integer.MAX_VALUE) {
            throw FrameFull.SIGNAL;
        }
        out.ensure((int) count);
    }

    private void putLength(int shortTag, int tag, int length) {
        if (length < BatchLayout.SHORT_LENGTH) {
            out.putByte(shortTag + length);
        } else {
            out.putByte(tag);
            out.putVarint(length);
        }
    }

    private static boolean isLatin1(String text, int length) {
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    /** Writes the values that only the topology's Kryo can write. */
    static final class KryoWriter {
        private static final int INITIAL = 1024;

        private final Kryo kryo;
        private final ListDelegate delegate = new ListDelegate();
        private final Output output;
        private final int most;

        KryoWriter(Map<String, Object> conf, int most) {
            this.kryo = ProgramKryoFactory.kryo(conf);
            this.most = most;
            this.output = new Output(Math.min(INITIAL, most), most);
        }

        /** Writes a length, and then the class and the object; throws {@link FrameFull} when there is no room. */
        void write(FrameOutput out, Object value) {
            write(out, value, false);
        }

        /** As {@link #write}, but the values of a tuple as {@code topology.tuple.serializer} writes them. */
        void writeAll(FrameOutput out, List<Object> values) {
            delegate.setDelegate(values);
            try {
                write(out, delegate, true);
            } finally {
                delegate.setDelegate(List.of());
            }
        }

        private void write(FrameOutput out, Object value, boolean ofKnownClass) {
            if (output.getBuffer().length > FrameOutput.MAX_KEPT_BYTES) {
                output.setBuffer(new byte[INITIAL], most);
            }
            output.reset();
            try {
                if (ofKnownClass) {
                    kryo.writeObject(output, value);
                } else {
                    kryo.writeClassAndObject(output, value);
                }
            } catch (RuntimeException | Error e) {
                throw failed(e);
            }
            int length = output.position();
            out.ensure(length + BatchLayout.MAX_HEAD);
            out.putVarint(length);
            out.putBytes(output.getBuffer(), length);
        }

        /** Resets Kryo. After a stack overflow Kryo's depth and its references may be wrong. */
        private RuntimeException failed(Throwable e) {
            kryo.reset();
            if (e instanceof Error error) {
                throw error;
            }
            return e instanceof KryoBufferOverflowException ? FrameFull.SIGNAL : (RuntimeException) e;
        }
    }
}
