package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.utils.ListDelegate;

/** Writes what only the topology's Kryo can write. */
final class KryoWriter {

    private static final int INITIAL = 1024;

    private final Kryo kryo;
    private final ListDelegate delegate = new ListDelegate();
    private final Output output;
    private final int most;

    KryoWriter(Map<String, Object> conf, int most) {
        this.kryo = SerializationFactory.getKryo(conf);
        this.most = most;
        this.output = new Output(Math.min(INITIAL, most), most);
    }

    /**
     * Writes class and object, behind a length.
     *
     * @throws FrameFull when there is no room
     */
    void write(FrameWriter out, Object value) {
        begin();
        try {
            kryo.writeClassAndObject(output, value);
        } catch (KryoBufferOverflowException e) {
            throw FrameFull.SIGNAL;
        }
        copyTo(out);
    }

    /**
     * Writes the values of a tuple as {@code topology.tuple.serializer} does it, behind a length.
     *
     * @throws FrameFull when there is no room
     */
    void writeAll(FrameWriter out, List<Object> values) {
        begin();
        delegate.setDelegate(values);
        try {
            kryo.writeObject(output, delegate);
        } catch (KryoBufferOverflowException e) {
            throw FrameFull.SIGNAL;
        } finally {
            delegate.setDelegate(List.of());
        }
        copyTo(out);
    }

    private void begin() {
        if (output.getBuffer().length > FrameWriter.KEEP_AT_MOST) {
            output.setBuffer(new byte[INITIAL], most);
        }
        output.reset();
    }

    private void copyTo(FrameWriter out) {
        int length = output.position();
        out.ensure(length + Layout.MOST_HEAD);
        out.putVarint(length);
        out.putBytes(output.getBuffer(), length);
    }
}
