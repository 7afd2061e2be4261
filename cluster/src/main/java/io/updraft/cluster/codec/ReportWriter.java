package io.updraft.cluster.codec;

import io.updraft.engine.mesh.Batch;
import java.util.Arrays;

/** Writes reports on tuple trees. Remembers the state of the connection: the current owner and the last root of each owner. */
final class ReportWriter {

    private static final int NONE = -1;

    private final FrameOutput out;

    /** By owner, the expected root of the next report. */
    private final long[] expected;

    private int owner;

    ReportWriter(FrameOutput out, int executors) {
        this.out = out;
        this.expected = new long[executors];
        reset();
    }

    void reset() {
        Arrays.fill(expected, 0);
        owner = NONE;
    }

    /** Writes a report. The caller has ensured that there is room. */
    void write(Batch batch, int index) {
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
        out.setByte(start, head | putValue(batch.value(index)) << BatchLayout.VALUE_SHIFT);
    }

    private int putValue(long value) {
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
