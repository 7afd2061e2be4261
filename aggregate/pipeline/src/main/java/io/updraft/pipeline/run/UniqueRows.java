package io.updraft.pipeline.run;

import io.updraft.pipeline.spec.AggregateSpec;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.RowId;
import io.updraft.timeseries.aggregate.SeenIds;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowGrid;
import io.updraft.timeseries.record.Schema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids of the rows of a run: those of each share if shares are aggregated on their own, else those of all partitions, which all tasks
 * share. Ids are dropped together with the windows of their rows, since the rows are read again then. Any thread may call the methods.
 */
final class UniqueRows {

    private static final Logger LOG = LoggerFactory.getLogger(UniqueRows.class);

    private static final long DEFAULT_BYTES = Runtime.getRuntime().maxMemory() / 8;
    private static final long LEAST_BUCKET_MILLIS = 1_000;

    private final String pipeline;
    private final List<String> fields;
    private final Schema schema;
    private final WindowGrid closings;
    /** By how much later the windows of a row may end than those of the grid that contain its time, milliseconds. */
    private final long laterZones;

    private final long within;
    private final long bucketLength;
    private final int tasks;
    /** Whether the next run reads records again until their ids are not needed. With the time of the clock it would count them again. */
    private final boolean holdsPositions;

    private final long maxIds;
    private final long maxBytes;

    /** The ids in use, by the partition that was opened first. */
    private final Map<Partition, SeenIds> open = new ConcurrentHashMap<>();

    private final AtomicLong forgottenBefore = new AtomicLong();
    private final AtomicBoolean isLogged = new AtomicBoolean();

    /**
     * Creates a set without ids.
     *
     * @param tasks how many tasks share ids
     */
    UniqueRows(String pipeline, AggregateSpec.Unique unique, Query query, TimeSpec time, int tasks) {
        this.pipeline = pipeline;
        fields = unique.by();
        schema = query.input();
        closings = query.window().closings();
        laterZones =
                query.window().zoneField() == null ? 0 : query.window().size().toMillis();
        within = unique.within() == null
                ? SeenIds.FOREVER
                : Math.min(unique.within().toMillis(), SeenIds.FOREVER);
        long disorder = Math.min(time.disorder().toMillis(), SeenIds.FOREVER);
        // Few enough buckets: ids stay for as long as rows may be out of order, too.
        bucketLength = Math.max(LEAST_BUCKET_MILLIS, Math.max(within / 8, disorder / 64));
        holdsPositions = unique.within() != null && time.isOfRecords();
        maxIds = unique.ids() == 0 ? Long.MAX_VALUE : unique.ids();
        maxBytes = unique.ids() == 0 ? DEFAULT_BYTES : Long.MAX_VALUE;
        this.tasks = tasks;
    }

    /** Returns a reader of ids for one task. */
    RowId reader() {
        return new RowId(schema, fields);
    }

    /**
     * Returns the ids of the partitions that are opened from {@code first} on. Each task opens the partitions in the same order, so that
     * all tasks get the same ids.
     */
    SeenIds open(Partition first) {
        SeenIds ids = open.computeIfAbsent(first, any -> new SeenIds(within, bucketLength, tasks, maxIds, maxBytes));
        limit();
        return ids;
    }

    /** Drops the ids of partitions whose windows a task has dropped. */
    void close(Partition first) {
        SeenIds ids = open.remove(first);
        if (ids != null) {
            forgottenBefore.addAndGet(ids.forgottenEarly());
            limit();
        }
    }

    /** All shares together may have as many ids as the limit says. */
    private void limit() {
        int shares = Math.max(1, open.size());
        open.values().forEach(ids -> ids.limit(Math.max(1, maxIds / shares), maxBytes / shares));
    }

    /**
     * Returns up to when windows must be closed before the id of a row is not needed: then no window of its latest duplicate
     * accepts rows. {@link Long#MIN_VALUE} if positions do not wait.
     */
    long neededUntil(long time) {
        return holdsPositions ? closings.end(closings.start(time + within + laterZones)) : Long.MIN_VALUE;
    }

    /** Returns how many ids were forgotten because there were too many. */
    long forgottenEarly() {
        return forgottenBefore.get()
                + open.values().stream().mapToLong(SeenIds::forgottenEarly).sum();
    }

    /** Returns by how much longer records wait than their windows take, milliseconds. */
    long heldMillis() {
        return holdsPositions ? within : 0;
    }

    /** Logs once that ids were forgotten too early. */
    void check() {
        long forgotten = isLogged.get() ? 0 : forgottenEarly();
        if (forgotten > 0 && isLogged.compareAndSet(false, true)) {
            LOG.warn(
                    "pipeline {}: there are more ids than {}, so {} ids were forgotten early, those with the oldest times first; a row"
                            + " with such an id may count twice: raise 'ids' in 'aggregate: unique', or lower 'within'",
                    pipeline,
                    maxIds == Long.MAX_VALUE ? "fit an eighth of the heap" : "the limit of " + maxIds,
                    forgotten);
        }
    }
}
