package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.utils.ListDelegate;

/** Writes the values that only the topology's Kryo can write. */
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

    /** Writes a length, and then the class and the object; throws {@link FrameFull} when there is no room. */
    void write(FrameOutput out, Object value) {
        begin();
        try {
            kryo.writeClassAndObject(output, value);
        } catch (RuntimeException | Error e) {
            throw failed(e);
        }
        copyTo(out);
    }

    /** As {@link #write}, but the values of a tuple as {@code topology.tuple.serializer} writes them. */
    void writeAll(FrameOutput out, List<Object> values) {
        begin();
        delegate.setDelegate(values);
        try {
            kryo.writeObject(output, delegate);
        } catch (RuntimeException | Error e) {
            throw failed(e);
        } finally {
            delegate.setDelegate(List.of());
        }
        copyTo(out);
    }

    /** Resets Kryo. After a stack overflow Kryo's depth and its references may be wrong. */
    private RuntimeException failed(Throwable e) {
        kryo.reset();
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof KryoBufferOverflowException ? FrameFull.SIGNAL : (RuntimeException) e;
    }

    private void begin() {
        if (output.getBuffer().length > FrameOutput.MAX_KEPT_BYTES) {
            output.setBuffer(new byte[INITIAL], most);
        }
        output.reset();
    }

    private void copyTo(FrameOutput out) {
        int length = output.position();
        out.ensure(length + BatchLayout.MAX_HEAD);
        out.putVarint(length);
        out.putBytes(output.getBuffer(), length);
    }
}
