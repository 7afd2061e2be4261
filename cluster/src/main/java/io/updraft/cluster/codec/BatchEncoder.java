package io.updraft.cluster.codec;

import io.updraft.cluster.codec.FrameOutput.FrameFull;
import io.updraft.cluster.codec.ValueWriter.KryoWriter;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.serialization.types.ListDelegateSerializer;

/**
 * Encodes batches as frames for one connection. Used by one thread at a time.
 *
 * <pre>
 *   encoder.start(batch);
 *   for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
 *       if (!session.offer(frame)) {
 *           return;         // continue here later: frame() returns the same frame until sent()
 *       }
 *   }
 * </pre>
 *
 * <p>The encoder allocates nothing for a tuple whose values are null, boxed primitives, strings and byte arrays. The topology's
 * Kryo writes all other values, configured exactly as Storm configures it. If the user sets {@code topology.tuple.serializer},
 * that serializer writes all values.
 *
 * <p>The encoder refuses a tuple that cannot be written, and continues with the rest of the batch.
 */
public final class BatchEncoder {
    private static final int MIN_FRAME = 256;
    private static final int NONE = -1;

    private final Consumer<RefusedTuple> refused;
    private final int maxFrame;
    private final int enough;
    private final FrameOutput out;
    private final ValueWriter values;
    private final TupleWriter tuples;

    /** By owner, the expected root of the next report. */
    private final long[] expected;

    /** The owner of the last report of this connection. */
    private int owner = NONE;

    private Batch batch;

    /** The number of tuples of the batch that are in frames already sent; {@link #sentReports} counts the reports. */
    private int sentTuples;

    private int sentReports;

    /** The end of the written frame in the batch, if a frame is written: index of the first tuple, and report, behind it. */
    private int tupleIndex;

    private int reportIndex;
    private boolean written;

    /** Whether the frame that is being written has no tuple yet. */
    private boolean noTupleYet;

    /**
     * Creates an encoder for a new connection.
     *
     * @param plan the plan of the topology; its configuration says how values are serialized
     * @param maxFrame most bytes of a frame, at least 256; a larger tuple is refused
     * @param enough bytes after which a frame takes no more tuples. A frame exceeds this by one tuple at most; a larger batch
     *     becomes several frames
     * @param refused receives the tuples that cannot be sent
     * @throws RuntimeException when Kryo cannot be configured as the topology wants it; the message is Storm's
     */
    public BatchEncoder(Plan plan, int maxFrame, int enough, Consumer<RefusedTuple> refused) {
        if (maxFrame < MIN_FRAME) {
            throw new IllegalArgumentException("maxFrame is " + maxFrame + ": it must be at least " + MIN_FRAME);
        }
        this.refused = refused;
        this.maxFrame = maxFrame;
        this.enough = enough;
        this.out = new FrameOutput(maxFrame);
        this.values = new ValueWriter(out, new KryoWriter(plan.conf(), maxFrame), hasOwnSerializer(plan.conf()));
        int executors = plan.executors().size();
        this.tuples = new TupleWriter(out, values, plan.taskToExecutor().length, executors);
        this.expected = new long[executors];
    }

    /** Whether {@code topology.tuple.serializer} is not Storm's default, so that the user's serializer writes all values. */
    static boolean hasOwnSerializer(Map<String, Object> conf) {
        return !ListDelegateSerializer.class.getName().equals(conf.get(Config.TOPOLOGY_TUPLE_SERIALIZER));
    }

    /**
     * Takes a batch to send. The caller must not change the batch until {@link #frame} has returned null.
     *
     * @param toSend the batch
     * @throws IllegalStateException when the previous batch has not been sent yet
     */
    public void start(Batch toSend) {
        if (batch != null) {
            throw new IllegalStateException("the previous batch has not been sent yet");
        }
        batch = toSend;
        sentTuples = 0;
        sentReports = 0;
    }

    /**
     * Writes the next frame, or returns the frame that is written and not sent yet. This method throws when memory runs out or
     * when the listener of refused tuples throws. The connection cannot be used after that: {@link #reset} must follow.
     *
     * @return the frame, from position 0, valid until {@link #sent}; null when the whole batch has been sent
     */
    public ByteBuffer frame() {
        while (!written && batch != null) {
            write();
        }
        return written ? out.view() : null;
    }

    /** {@return the number of tuples in the current frame} */
    public int tuples() {
        return written ? tupleIndex - sentTuples : 0;
    }

    /** Notes that the connection has taken the current frame. */
    public void sent() {
        sentTuples = tupleIndex;
        sentReports = reportIndex;
        written = false;
        out.clear();
    }

    /**
     * Forgets all state of the old connection. Call it when a new connection is made. A frame that was written but not {@link
     * #sent} is written again for the new connection; to prevent that, call {@link #drop} first.
     */
    public void reset() {
        tuples.reset();
        Arrays.fill(expected, 0);
        owner = NONE;
        written = false;
        out.clear();
    }

    /**
     * Forgets the current batch. If a frame of it was written but not {@link #sent}, the connection cannot be used any more:
     * {@link #reset} must follow.
     */
    public void drop() {
        batch = null;
        written = false;
        out.clear();
    }

    /** Writes a frame, or sets the batch to null if nothing is left to write. */
    private void write() {
        tupleIndex = sentTuples;
        reportIndex = sentReports;
        noTupleYet = true;
        out.clear();
        out.putByte(BatchLayout.VERSION);
        if (writeTuples()) {
            writeReports();
        }
        if (out.position() > 1) {
            out.putByte(BatchLayout.END);
            written = true;
        } else if (tupleIndex == batch.tupleCount()) {
            batch = null;
        } else {
            // All tuples for this frame were refused.
            sentTuples = tupleIndex;
        }
    }

    private boolean writeTuples() {
        int count = batch.tupleCount();
        int end = (int) Math.min(count, (long) tupleIndex + BatchLayout.MAX_ITEMS);
        while (tupleIndex < end
                && out.position() < enough
                && append(batch.tuple(tupleIndex), batch.target(tupleIndex))) {
            tupleIndex++;
        }
        return tupleIndex == count;
    }

    /** Returns false when the tuple must wait for the next frame. */
    private boolean append(EngineTuple tuple, int target) {
        int start = out.position();
        try {
            tuples.declare(tuple, maxFrame);
            start = out.position();
            tuples.write(tuple, target);
            if (out.position() >= maxFrame) {
                return refuseIfAlone(start, tuple, target);
            }
            tuples.keep(tuple, target);
            noTupleYet = false;
            return true;
        } catch (FrameFull e) {
            return refuseIfAlone(start, tuple, target);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            out.rewind(start);
            refused.accept(RefusedTuple.notSerializable(tuple, target, values.index(), e));
            return true;
        }
    }

    /**
     * Takes back a tuple that does not fit. If the frame has no other tuple, the tuple is too large for any frame and is
     * refused.
     */
    private boolean refuseIfAlone(int start, EngineTuple tuple, int target) {
        out.rewind(start);
        if (noTupleYet) {
            refused.accept(RefusedTuple.tooLarge(tuple, target, maxFrame));
        }
        return noTupleYet;
    }

    private void writeReports() {
        int end = (int) Math.min(batch.reportCount(), (long) reportIndex + BatchLayout.MAX_ITEMS);
        while (reportIndex < end && out.position() < enough && maxFrame - out.position() > BatchLayout.MAX_HEAD) {
            out.ensure(BatchLayout.MAX_HEAD);
            writeReport(reportIndex++);
        }
    }

    private void writeReport(int index) {
        int start = out.position();
        out.putByte(0);
        int head = BatchLayout.REPORT | batch.kind(index);
        int newOwner = batch.owner(index);
        if (newOwner != owner) {
            head |= BatchLayout.REPORT_OWNER;
            out.putVarint(newOwner);
            owner = newOwner;
        }
        long root = batch.root(index);
        long delta = root - expected[newOwner];
        if (delta != 0) {
            head |= BatchLayout.REPORT_ROOT;
            out.putZigzag(delta);
        }
        expected[newOwner] = root + 1;
        out.setByte(start, head | putReportValue(batch.value(index)) << BatchLayout.VALUE_SHIFT);
    }

    private int putReportValue(long value) {
        if (value >>> 1 == 0) {
            return value == 0 ? BatchLayout.VALUE_ZERO : BatchLayout.VALUE_ONE;
        }
        if (value >>> 49 == 0) {
            out.putVarlong(value);
            return BatchLayout.VALUE_VARINT;
        }
        out.putLong(value);
        return BatchLayout.VALUE_LONG;
    }
}
