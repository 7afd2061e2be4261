package io.updraft.cluster.codec;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.task.GeneralTopologyContext;

/**
 * Turns the frames of one connection back into batches. Used by one thread at a time.
 *
 * <p>A frame is read whole before anything of it is delivered. No input makes this loop or read beyond the frame, and what is
 * allocated is at most a few times the length of the frame and some 6 MiB: nothing is allocated before the bytes for it have
 * been seen. Kryo is the exception. It sees only the bytes that are its own, and strings and arrays of primitives are checked,
 * but its other serializers allocate as they like, and which classes it loads is as safe as it is in Storm: only peers who have
 * proved who they are may send frames.
 */
public final class BatchDecoder {

    /** Most tuples, or reports, for which a batch has room from the start; a lane of the engine sends no more at a time. */
    private static final int MOST_ROOM = 512;

    private final RefusedTuples refused;
    private final FrameReader in = new FrameReader();
    private final ValueReader values;
    private final TupleReader tuples;
    private final ReportReader reports;
    private final List<Refusal> refusals = new ArrayList<>();
    private boolean broken;

    /** What the frame in hand holds; null between frames. */
    private Batch batch;

    /** The next frame will probably hold as much as the last. */
    private int tupleRoom;

    private int reportRoom;

    /**
     * Creates a decoder of a new connection.
     *
     * @param plan what is run; its configuration says how values are deserialized
     * @param worker the worker that receives
     * @param context what tuples show as their context
     * @param refused hears of tuples that arrived, but with a value that Kryo cannot read
     * @throws RuntimeException when Kryo cannot be configured as the topology wants it; the message is Storm's
     */
    public BatchDecoder(Plan plan, int worker, GeneralTopologyContext context, RefusedTuples refused) {
        this.refused = refused;
        this.values = new ValueReader(in, new KryoReader(plan.conf()));
        Addressees addressees = new Addressees(plan, worker);
        boolean whole = BatchEncoder.hasOwnSerializer(plan.conf());
        this.tuples = new TupleReader(in, values, new Sources(plan, context), addressees, whole);
        this.reports = new ReportReader(in, addressees);
    }

    /**
     * Reads a frame.
     *
     * @param frame its bytes, from position to limit, on the heap or not; left unchanged, and not needed afterwards
     * @return what it holds; a new batch, which belongs to the caller
     * @throws CodecException when the frame is malformed; nothing was delivered, and nothing more can be read before
     *     {@link #reset}
     */
    public Batch decode(ByteBuffer frame) throws CodecException {
        if (broken) {
            throw new IllegalStateException("a malformed frame came before: this connection cannot be read any more");
        }
        Batch result = new Batch(tupleRoom, reportRoom);
        batch = result;
        refusals.clear();
        broken = true;
        try {
            in.wrap(frame);
            read();
            broken = false;
        } finally {
            in.release();
            batch = null;
        }
        tupleRoom = Math.min(MOST_ROOM, result.tupleCount());
        reportRoom = Math.min(MOST_ROOM, result.reportCount());
        report();
        return result;
    }

    private void report() {
        if (refusals.isEmpty()) {
            return;
        }
        for (Refusal refusal : refusals) {
            refused.onRefused(refusal.tuple(), refusal.target(), refusal.reason(), refusal.cause());
        }
        refusals.clear();
    }

    /** Begins anew on a new connection. */
    public void reset() {
        tuples.reset();
        reports.reset();
        broken = false;
    }

    private void read() throws CodecException {
        int version = in.readByte();
        if (version != Layout.VERSION) {
            throw in.malformed("version " + version + " of the layout; this worker knows version " + Layout.VERSION);
        }
        int tuplesLeft = Layout.MOST_ITEMS;
        int reportsLeft = Layout.MOST_ITEMS;
        for (int head = in.readByte(); head != Layout.END; head = in.readByte()) {
            if (head < Layout.DECLARATION) {
                checkCount(--tuplesLeft);
                readTuple(head);
            } else if (head >= Layout.REPORT) {
                checkCount(--reportsLeft);
                reports.read(head, batch);
            } else if (head == Layout.DECLARATION) {
                tuples.readDeclaration();
            } else {
                throw in.malformed("an item of unknown kind 0x" + Integer.toHexString(head));
            }
        }
        if (in.remaining() > 0) {
            throw in.malformed(in.remaining() + " bytes after the end");
        }
    }

    private void checkCount(int left) throws CodecException {
        if (left < 0) {
            throw in.malformed("more than " + Layout.MOST_ITEMS + " tuples, or reports, in one frame");
        }
    }

    private void readTuple(int head) throws CodecException {
        EngineTuple tuple = tuples.read(head);
        if (values.failure() == null) {
            batch.add(tuple, tuples.target());
        } else {
            refusals.add(Refusal.notDeserializable(tuple, tuples.target(), values.failedField(), values.failure()));
        }
    }
}
