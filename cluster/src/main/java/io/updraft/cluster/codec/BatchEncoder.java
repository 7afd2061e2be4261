package io.updraft.cluster.codec;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.types.ListDelegateSerializer;

/**
 * Turns batches into frames for one connection. Used by one thread at a time.
 *
 * <pre>
 *   encoder.start(batch);
 *   for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
 *       if (!session.offer(frame)) {
 *           return;         // and go on here later: frame() is the same until sent()
 *       }
 *   }
 * </pre>
 *
 * <p>Allocates nothing for a tuple whose values are null, boxed primitives, strings and byte arrays; other values go by the
 * topology's Kryo, exactly as Storm configures it. A {@code topology.tuple.serializer} of the user's writes all values.
 *
 * <p>A tuple that cannot be written is refused, and the rest of its batch goes on.
 */
public final class BatchEncoder {

    /** Least that a frame must be allowed to be, bytes. */
    private static final int LEAST_FRAME = 256;

    private final RefusedTuples refused;
    private final int maxFrame;
    private final int enough;
    private final FrameWriter out;
    private final ValueWriter values;
    private final TupleWriter tuples;
    private final ReportWriter reports;

    /** What is being sent, or null. */
    private Batch batch;

    /** How far the frames go that were sent. */
    private int sentTuples;

    private int sentReports;

    /** How far the frame goes that is written, if one is. */
    private int tupleIndex;

    private int reportIndex;
    private boolean written;

    /** Whether no tuple is in the frame yet. */
    private boolean noTupleYet;

    /**
     * Creates an encoder of a new connection.
     *
     * @param plan what is run; its configuration says how values are serialized
     * @param maxFrame most bytes of a frame, at least 256; a tuple that is larger is refused
     * @param enough bytes after which a frame takes no more tuples, so that it is longer by one tuple at the most; a larger batch
     *     becomes several frames
     * @param refused hears of tuples that cannot be sent
     * @throws RuntimeException when Kryo cannot be configured as the topology wants it; the message is Storm's
     */
    public BatchEncoder(Plan plan, int maxFrame, int enough, RefusedTuples refused) {
        if (maxFrame < LEAST_FRAME) {
            throw new IllegalArgumentException("maxFrame is " + maxFrame + ": it must be at least " + LEAST_FRAME);
        }
        this.refused = refused;
        this.maxFrame = maxFrame;
        this.enough = enough;
        this.out = new FrameWriter(maxFrame);
        this.values = new ValueWriter(out, new KryoWriter(plan.conf(), maxFrame), hasOwnSerializer(plan.conf()));
        int executors = plan.executors().size();
        this.tuples = new TupleWriter(out, values, plan.taskToExecutor().length, executors);
        this.reports = new ReportWriter(out, executors);
    }

    /** Whether all values are to be written by a serializer of the user's. */
    static boolean hasOwnSerializer(Map<String, Object> conf) {
        return !ListDelegateSerializer.class.getName().equals(conf.get(Config.TOPOLOGY_TUPLE_SERIALIZER));
    }

    /**
     * Takes a batch to send. It must not be changed until {@link #frame} has returned null.
     *
     * @param toSend the batch
     * @throws IllegalStateException when the batch before has not been sent yet
     */
    public void start(Batch toSend) {
        if (batch != null) {
            throw new IllegalStateException("the batch before has not been sent yet");
        }
        batch = toSend;
        sentTuples = 0;
        sentReports = 0;
    }

    /**
     * Writes the next frame, or returns the one that was not sent yet. If this throws, as it does when there is no memory left
     * or when the listener does, the connection cannot be used any more: {@link #reset} must follow.
     *
     * @return the frame, from position 0; valid until {@link #sent}; null when all of the batch has been sent
     */
    public ByteBuffer frame() {
        while (!written && batch != null) {
            write();
        }
        return written ? out.view() : null;
    }

    /** {@return how many tuples are in the frame at hand} */
    public int tuples() {
        return written ? tupleIndex - sentTuples : 0;
    }

    /** Notes that the frame was taken by the connection, once and for all. */
    public void sent() {
        sentTuples = tupleIndex;
        sentReports = reportIndex;
        written = false;
        out.clear();
    }

    /**
     * Begins anew on a new connection. A frame that was written and not {@link #sent} is written again for it; if nothing
     * should be sent again, {@link #drop} it first.
     */
    public void reset() {
        tuples.reset();
        reports.reset();
        written = false;
        out.clear();
    }

    /**
     * Forgets the batch in hand. If a frame of it was written and not {@link #sent}, the connection cannot be used any more:
     * {@link #reset} must follow.
     */
    public void drop() {
        batch = null;
        written = false;
        out.clear();
    }

    /** Writes a frame, or finds that there is nothing left to write. */
    private void write() {
        tupleIndex = sentTuples;
        reportIndex = sentReports;
        noTupleYet = true;
        out.clear();
        out.putByte(Layout.VERSION);
        if (writeTuples()) {
            writeReports();
        }
        if (out.position() > 1) {
            out.putByte(Layout.END);
            written = true;
        } else if (tupleIndex == batch.tupleCount()) {
            batch = null;
        } else {
            // All of a frame's worth were refused.
            sentTuples = tupleIndex;
        }
    }

    /** Returns whether none is left for another frame. */
    private boolean writeTuples() {
        int count = batch.tupleCount();
        int end = (int) Math.min(count, (long) tupleIndex + Layout.MOST_ITEMS);
        while (tupleIndex < end
                && out.position() < enough
                && append(batch.tuple(tupleIndex), batch.target(tupleIndex))) {
            tupleIndex++;
        }
        return tupleIndex == count;
    }

    /** Returns false when the tuple has to wait for the next frame. */
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
            refuse(Refusal.notSerializable(tuple, target, values.index(), e));
            return true;
        }
    }

    /** Takes back a tuple for which there is no room; if that is not for others' sake, there never will be. */
    private boolean refuseIfAlone(int start, EngineTuple tuple, int target) {
        out.rewind(start);
        if (noTupleYet) {
            refuse(Refusal.tooLarge(tuple, target, maxFrame));
        }
        return noTupleYet;
    }

    private void refuse(Refusal refusal) {
        refused.onRefused(refusal.tuple(), refusal.target(), refusal.reason(), refusal.cause());
    }

    private void writeReports() {
        int end = (int) Math.min(batch.reportCount(), (long) reportIndex + Layout.MOST_ITEMS);
        while (reportIndex < end && out.position() < enough && maxFrame - out.position() > Layout.MOST_HEAD) {
            out.ensure(Layout.MOST_HEAD);
            reports.write(batch, reportIndex++);
        }
    }
}
