package io.updraft.cluster.codec;

import io.updraft.engine.mesh.Batch;
import java.util.Arrays;

/** Reads reports on tuple trees. Remembers the state of the connection: the current owner and the last root of each owner. */
final class ReportReader {

    private static final int NONE = -1;

    private final FrameInput in;
    private final FrameTargets addressees;

    /** By owner, the expected root of the next report. */
    private final long[] expected;

    private int owner;

    ReportReader(FrameInput in, FrameTargets addressees) {
        this.in = in;
        this.addressees = addressees;
        this.expected = new long[addressees.executors()];
        reset();
    }

    void reset() {
        Arrays.fill(expected, 0);
        owner = NONE;
    }

    /** Reads a report whose first byte has been read. */
    void read(int head, Batch into) throws CodecException {
        int kind = head & BatchLayout.KIND_MASK;
        if (kind > Batch.RESET_TIMEOUT) {
            throw in.malformed("unknown kind of report " + kind);
        }
        if ((head & BatchLayout.REPORT_OWNER) != 0) {
            readOwner();
        }
        if (owner == NONE) {
            throw in.malformed("the first report has no owner");
        }
        long root = expected[owner] + ((head & BatchLayout.REPORT_ROOT) != 0 ? in.readZigzag() : 0);
        if (root <= 0) {
            throw in.malformed("a report on tree " + root + ", but tree numbers begin with 1");
        }
        expected[owner] = root + 1;
        into.addReport(kind, owner, root, readValue(head >>> BatchLayout.VALUE_SHIFT & BatchLayout.VALUE_MASK));
    }

    private void readOwner() throws CodecException {
        owner = in.readVarint();
        if (!addressees.isOwnerHere(owner)) {
            throw in.malformed("executor " + owner + " is not a spout of this worker");
        }
    }

    private long readValue(int form) throws CodecException {
        return switch (form) {
            case BatchLayout.VALUE_ZERO -> 0;
            case BatchLayout.VALUE_ONE -> 1;
            case BatchLayout.VALUE_VARINT -> in.readVarlong();
            default -> in.readLong();
        };
    }
}
