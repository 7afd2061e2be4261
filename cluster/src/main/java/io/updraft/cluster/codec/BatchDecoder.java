package io.updraft.cluster.codec;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.storm.task.GeneralTopologyContext;

/**
 * Decodes the frames of one connection into batches. Used by one thread at a time.
 *
 * <p>The decoder reads a whole frame before it delivers any of it. No input makes the decoder loop forever or read beyond the
 * frame. It allocates at most a few times the length of the frame plus some 6 MiB, because it allocates nothing before it has
 * seen the bytes for it.
 *
 * <p>Kryo is the exception. Kryo sees only its own bytes, and the lengths of strings and of arrays of primitives are checked,
 * but its other serializers may allocate any amount. Which classes Kryo loads is as safe as in Storm. Therefore only
 * authenticated peers may send frames.
 */
public final class BatchDecoder {
    /** Most tuples, or reports, for which a new batch has capacity. A lane of the engine sends no more at a time. */
    private static final int MAX_CAPACITY = 512;

    private static final int NONE = -1;

    private final Consumer<RefusedTuple> refused;
    private final FrameInput in = new FrameInput();
    private final ValueReader values;
    private final TupleReader tuples;
    private final FrameTargets targets;

    /** By owner, the expected root of the next report. */
    private final long[] expected;

    /** The owner of the last report of this connection. */
    private int owner = NONE;

    private final List<RefusedTuple> refusals = new ArrayList<>();
    private boolean broken;

    /** The contents of the frame that is being decoded; null between frames. */
    private Batch batch;

    /** Number of tuples in the last frame, at most {@link #MAX_CAPACITY}: the next frame probably holds as many. */
    private int tupleCapacity;

    private int reportCapacity;

    /**
     * Creates a decoder for a new connection.
     *
     * @param plan the plan of the topology; its configuration says how values are deserialized
     * @param worker the number of the receiving worker
     * @param context the context of the decoded tuples
     * @param refused receives the tuples that arrived with a value that Kryo cannot read
     * @throws RuntimeException when Kryo cannot be configured as the topology wants it; the message is Storm's
     */
    public BatchDecoder(Plan plan, int worker, GeneralTopologyContext context, Consumer<RefusedTuple> refused) {
        this.refused = refused;
        this.values = new ValueReader(in, new KryoReader(plan.conf()));
        this.targets = new FrameTargets(plan, worker);
        this.tuples = new TupleReader(in, values, targets, plan, context);
        this.expected = new long[targets.executors()];
    }

    /**
     * Decodes a frame.
     *
     * @param frame the bytes of the frame, from position to limit, on the heap or not; left unchanged, and not needed
     *     afterwards
     * @return the contents of the frame: a new batch, which belongs to the caller
     * @throws CodecException when the frame is malformed; nothing was delivered, and nothing more can be read before {@link
     *     #reset}
     */
    public Batch decode(ByteBuffer frame) throws CodecException {
        if (broken) {
            throw new IllegalStateException("an earlier frame was malformed: reset the decoder for a new connection");
        }
        Batch result = new Batch(tupleCapacity, reportCapacity);
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
        tupleCapacity = Math.min(MAX_CAPACITY, result.tupleCount());
        reportCapacity = Math.min(MAX_CAPACITY, result.reportCount());
        refusals.forEach(refused);
        refusals.clear();
        return result;
    }

    /** Forgets all state of the old connection. Call it when a new connection is made. */
    public void reset() {
        tuples.reset();
        Arrays.fill(expected, 0);
        owner = NONE;
        broken = false;
    }

    private void read() throws CodecException {
        int version = in.readByte();
        if (version != BatchLayout.VERSION) {
            throw in.malformed(
                    "version " + version + " of the layout; this worker reads version " + BatchLayout.VERSION);
        }
        int tuplesLeft = BatchLayout.MAX_ITEMS;
        int reportsLeft = BatchLayout.MAX_ITEMS;
        for (int head = in.readByte(); head != BatchLayout.END; head = in.readByte()) {
            if (head < BatchLayout.DECLARATION) {
                checkCount(--tuplesLeft);
                readTuple(head);
            } else if (head >= BatchLayout.REPORT) {
                checkCount(--reportsLeft);
                readReport(head);
            } else if (head == BatchLayout.DECLARATION) {
                tuples.readDeclaration();
            } else {
                throw in.malformed("unknown kind of item 0x" + Integer.toHexString(head));
            }
        }
        if (in.remaining() > 0) {
            throw in.malformed(in.remaining() + " bytes after the end");
        }
    }

    private void checkCount(int left) throws CodecException {
        if (left < 0) {
            throw in.malformed("more than " + BatchLayout.MAX_ITEMS + " tuples or reports in one frame");
        }
    }

    private void readTuple(int head) throws CodecException {
        EngineTuple tuple = tuples.read(head);
        if (values.failure() == null) {
            batch.add(tuple, tuples.target());
        } else {
            refusals.add(
                    RefusedTuple.notDeserializable(tuple, tuples.target(), values.failedField(), values.failure()));
        }
    }

    /** Reads a report whose first byte has been read. */
    private void readReport(int head) throws CodecException {
        int kind = head & BatchLayout.KIND_MASK;
        if (kind > Batch.RESET_TIMEOUT) {
            throw in.malformed("unknown kind of report " + kind);
        }
        if ((head & BatchLayout.REPORT_OWNER) != 0) {
            owner = in.readVarint();
            if (!targets.isOwnerHere(owner)) {
                throw in.malformed("executor " + owner + " is not a spout of this worker");
            }
        }
        if (owner == NONE) {
            throw in.malformed("the first report has no owner");
        }
        long root = expected[owner] + ((head & BatchLayout.REPORT_ROOT) != 0 ? in.readZigzag() : 0);
        if (root <= 0) {
            throw in.malformed("a report on tree " + root + ", but tree numbers begin with 1");
        }
        expected[owner] = root + 1;
        batch.addReport(kind, owner, root, readReportValue(head >>> BatchLayout.VALUE_SHIFT & BatchLayout.VALUE_MASK));
    }

    private long readReportValue(int form) throws CodecException {
        return switch (form) {
            case BatchLayout.VALUE_ZERO -> 0;
            case BatchLayout.VALUE_ONE -> 1;
            case BatchLayout.VALUE_VARINT -> in.readVarlong();
            default -> in.readLong();
        };
    }
}
