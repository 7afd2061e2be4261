package io.updraft.pipeline.connector;

import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.util.List;
import java.util.Map;

/**
 * A destination for results. One thread uses a sink, and a sink may block: back-pressure then holds the sources. A sink that
 * was closed can be opened again, which starts it anew.
 */
public interface ResultSink extends AutoCloseable {

    /** Returns the destination for messages, without secrets, such as {@code topic totals at host:9092}. */
    String where();

    /**
     * Connects, and checks the destination before the first result: that a table has the columns, that a folder can be written.
     *
     * @param columns the columns of the results: first the dimensions, then the measures
     * @param dimensions how many of the columns are dimensions
     * @throws SinkException when the sink cannot work; the message is one line that names the cause and the place
     */
    void open(Schema columns, int dimensions) throws SinkException;

    /**
     * Returns the last commit of each partition that was flushed with the results, by partition; null if this sink stores no positions.
     * Called after {@link #open}, before the source is opened. Empty for a new pipeline.
     *
     * @throws SinkException when the positions cannot be read
     */
    default Map<String, PartitionPosition> readCommits() throws SinkException {
        return null;
    }

    /**
     * Writes a result, or prepares to. A window may be written again: by an {@code EARLY} or {@code UPDATE} emission, or after
     * a process died before it committed its positions. A sink whose rows have a key replaces them.
     *
     * @param result stays unchanged until the next flush has returned
     * @param partition the share whose records alone are in the result; null if it contains records of all partitions
     * @throws SinkException when the write failed; if {@link SinkException#isTransient} the caller tries this result again
     */
    void write(WindowResult result, String partition) throws SinkException;

    /**
     * Makes all writes since the last call durable: in the database, on the disk, or at the broker. Positions are committed
     * only after that.
     *
     * @param commits the position of each partition once the call returns. A sink that can store positions in its transaction does
     *     so; others ignore them
     * @return whether the positions were committed where the source stores its own, as Kafka's offsets in a transaction of
     *     Kafka. Then the source must not commit them: its commit could arrive after the next transaction and set the positions
     *     back. False from a sink that stores positions elsewhere ({@link #readCommits}) or not at all: then the source
     *     commits
     * @throws SinkException when the flush failed; if {@link SinkException#isTransient} the caller writes all results since the
     *     last flush again. If it has {@link SinkException#refusedRows}, the caller does so without these rows. Once a flush has
     *     returned, none of its results is written to this sink again, even if another sink fails
     */
    boolean flush(List<PartitionPosition> commits) throws SinkException;

    /** Releases all resources; results that were not flushed are lost. */
    @Override
    void close();
}
