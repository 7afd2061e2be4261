package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.util.List;

/**
 * Where results go. One thread uses a sink, and it may block: sources are held back meanwhile. Opening it again after it was
 * closed is a new start.
 */
public interface Sink extends AutoCloseable {

    /** Where results go, without secrets: words for people, such as {@code topic totals at host:9092}. */
    String where();

    /**
     * Connects, and checks what can be checked before the first result: that a table has the columns, that a folder can be written.
     *
     * @param columns of the results: first the dimensions, then the measures
     * @param dimensions how many of them are dimensions
     * @throws SinkException when it cannot work: one line that says what and where
     */
    void open(Schema columns, int dimensions) throws SinkException;

    /**
     * Writes a result, or prepares to. The same window may be written again, by an {@code EARLY} or {@code UPDATE} emission or since a
     * process died before its offsets were committed: a sink whose rows have a key replaces them.
     *
     * @param result stays as it is until the flush after it has returned
     * @param unit the group of units of the source whose records alone it is made of; null if it is made of those of all units
     * @throws SinkException when that has failed; if {@link SinkException#isTransient} the caller tries this one again
     */
    void write(WindowResult result, String unit) throws SinkException;

    /**
     * Makes sure that all that was written since the last call lasts: in the database, on the disk, with the broker. Only then are the
     * positions committed.
     *
     * @param commits up to where each unit of the source is done once this returns. A sink in whose transaction they can be kept does
     *     so; others leave them alone
     * @return whether the positions were committed where the source itself keeps its own, as Kafka's offsets are in a transaction of
     *     Kafka: then the source must not be told of them, since its commit of these could come after the next transaction's and
     *     take it back. False from a sink that keeps them elsewhere ({@link CommittingSink}) or not at all: the source is told
     * @throws SinkException when that has failed; if {@link SinkException#isTransient} the caller writes all results since the last
     *     flush again. Once this has returned, none of them is written to this sink again, even if another sink fails
     */
    boolean flush(List<Commit> commits) throws SinkException;

    /** Gives everything back; what was not flushed is lost. */
    @Override
    void close();
}
