package io.updraft.pipeline.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of one task. The task writes plain fields and publishes them after each chunk; any thread reads them. */
final class TaskCounters {

    private static final Logger LOG = LoggerFactory.getLogger(TaskCounters.class);
    private static final VarHandle PUBLISHED;

    static {
        try {
            PUBLISHED = MethodHandles.lookup().findVarHandle(TaskCounters.class, "published", Counts.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A snapshot of the counters.
     *
     * @param records records read
     * @param rows rows decoded
     * @param bad records without a row
     * @param late rows for closed windows
     * @param again rows of records that were read again and whose windows an earlier run has written
     * @param bytes bytes decoded
     * @param windows open windows
     * @param groups groups in open windows
     * @param stateBytes bytes of open windows
     * @param alarms alarms raised
     */
    record Counts(
            long records,
            long rows,
            long bad,
            long late,
            long again,
            long bytes,
            long windows,
            long groups,
            long stateBytes,
            long alarms) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    records + other.records,
                    rows + other.rows,
                    bad + other.bad,
                    late + other.late,
                    again + other.again,
                    bytes + other.bytes,
                    windows + other.windows,
                    groups + other.groups,
                    stateBytes + other.stateBytes,
                    alarms + other.alarms);
        }
    }

    long records;
    long rows;
    private long bad;
    private volatile String firstBad;
    long late;
    long again;
    long bytes;
    private long windows;
    private long groups;
    private long stateBytes;
    private long alarms;

    @SuppressWarnings("unused") // by the handle
    private Counts published = Counts.NONE;

    void measure(Iterable<Shard> shards) {
        windows = 0;
        groups = 0;
        stateBytes = 0;
        for (Shard shard : shards) {
            windows += shard.aggregator().windows();
            groups += shard.aggregator().groups();
            stateBytes += shard.aggregator().bytes();
        }
    }

    /** Counts a record that gave no row. */
    void bad(String unit, long position, String reason) {
        bad++;
        if (firstBad == null) {
            firstBad = unit + " at " + position + ": " + reason;
        }
    }

    /** Returns the position of the first record that gave no row, and the reason; null if there is none. */
    String firstBad() {
        return firstBad;
    }

    void alarm(String line) {
        alarms++;
        LOG.warn("{}", line);
    }

    void publish() {
        PUBLISHED.setRelease(
                this, new Counts(records, rows, bad, late, again, bytes, windows, groups, stateBytes, alarms));
    }

    Counts read() {
        return (Counts) PUBLISHED.getAcquire(this);
    }
}
