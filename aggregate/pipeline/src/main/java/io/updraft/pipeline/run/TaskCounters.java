package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of one task. The task writes plain fields and publishes them after each chunk; any thread reads them. */
final class TaskCounters {

    private static final Logger LOG = LoggerFactory.getLogger(TaskCounters.class);

    /**
     * A snapshot of the counters.
     *
     * @param rejected records without a row
     * @param late rows for closed windows
     * @param duplicates rows whose id another row had before
     * @param again rows of records that were read again and whose windows an earlier run has written
     * @param windows open windows
     * @param groups groups in open windows
     * @param stateBytes bytes of open windows
     */
    public record Counts(
            long records,
            long rows,
            long rejected,
            long late,
            long duplicates,
            long again,
            long bytes,
            long windows,
            long groups,
            long stateBytes,
            long alarms) {}

    private long records;
    private long rows;
    private long rejected;
    private long rejectedAgain;
    private volatile String firstRejected;
    private String firstRejectedSinceReport;
    private UnusableRecords.Counts reported = UnusableRecords.Counts.NONE;
    private long late;
    private long duplicates;
    private long reread;
    private long bytes;
    private long windows;
    private long groups;
    private long stateBytes;
    private long alarms;

    /** By partition: the wait of which the last alarm was logged, milliseconds. */
    private final Map<String, Long> loggedWaits = new HashMap<>();

    private volatile Map<String, Long> held = Map.of();

    private volatile TaskWatermark watermark = TaskWatermark.NONE;

    private volatile Counts published = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Counts records that were read, with the bytes of those that were decoded. */
    public void read(long more, long itsBytes) {
        records += more;
        bytes += itsBytes;
    }

    public void row() {
        rows++;
    }

    public void rows(int count) {
        rows += count;
    }

    public void late() {
        late++;
    }

    public void duplicate() {
        duplicates++;
    }

    public void reread() {
        reread++;
    }

    /** Sets what is in memory now. */
    public void open(long openWindows, long openGroups, long openBytes) {
        windows = openWindows;
        groups = openGroups;
        stateBytes = openBytes;
    }

    /** Counts a record that gave no row. */
    public void rejected(String partition, long position, String reason) {
        rejected++;
        unusable(partition, position, reason);
        firstRejected = firstRejected == null ? firstRejectedSinceReport : firstRejected;
    }

    /**
     * Counts a record that gave no row, and that an earlier run has handled. It may have given a row then, which the windows of
     * this run lack.
     */
    public void rejectedAgain(String partition, long position, String reason) {
        reread++;
        rejectedAgain++;
        unusable(partition, position, reason);
    }

    private void unusable(String partition, long position, String reason) {
        if (firstRejectedSinceReport == null) {
            firstRejectedSinceReport = partition + " at " + position + ": " + reason;
        }
    }

    /** Returns how many records were used since the last call. For the thread of the task. */
    public UnusableRecords.Counts takeUsed() {
        UnusableRecords.Counts used = new UnusableRecords.Counts(
                rows - reported.usable(), rejected + rejectedAgain - reported.unusable(), firstRejectedSinceReport);
        reported = new UnusableRecords.Counts(rows, rejected + rejectedAgain, null);
        firstRejectedSinceReport = null;
        return used;
    }

    /** Returns the position of the first record that gave no row, and the reason; null if there is none. */
    public String firstRejected() {
        return firstRejected;
    }

    /**
     * Counts that a record of a partition has waited too long. Logs the line, and again each time that the wait has doubled.
     *
     * @param millis how long the record has waited, milliseconds
     */
    public void alarm(String partition, long millis, String line) {
        alarms++;
        Long last = loggedWaits.get(partition);
        boolean isNew = last == null || millis < last / 2;
        if (isNew || millis >= 2 * last) {
            loggedWaits.put(partition, millis);
            LOG.warn("{}", line);
        }
    }

    /** Sets which partitions hold windows open, each with the end of the first such window, milliseconds since 1970. */
    public void held(Map<String, Long> windows) {
        held = Map.copyOf(windows);
    }

    /** Returns which partitions hold windows open, each with the end of the first such window, as of about a second ago. */
    public Map<String, Long> held() {
        return held;
    }

    /** Sets how far the time of the task's partitions has come. */
    public void watermark(TaskWatermark now) {
        watermark = now;
    }

    /** Returns how far the time of the task's partitions has come, as of about a second ago. */
    public TaskWatermark watermark() {
        return watermark;
    }

    public void publish() {
        published = new Counts(
                records, rows, rejected, late, duplicates, reread, bytes, windows, groups, stateBytes, alarms);
    }

    public Counts published() {
        return published;
    }
}
