package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.SinkException;
import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Row;

/** Told of what is in no result. All tasks call it, each on its own thread, so it must be safe for them. */
public interface Aside {

    /** Keeps nothing: the counters tell how many there were. */
    Aside NONE = new Aside() {
        @Override
        public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String unit, long position, Row row, long time) {}
    };

    /** A record that cannot be decoded, or whose time is missing or cannot be true. The bytes are the caller's again when this returns. */
    void bad(String unit, long position, byte[] bytes, int from, int length, String reason);

    /** A row whose windows are all closed. The row is the caller's again when this returns. */
    void late(String unit, long position, Row row, long time);

    /**
     * A group that is not in the result of a window, since a measure does not fit into its column. The row is the caller's again when
     * this returns.
     *
     * @param unit whose records it is made of: the group of units, or the pipeline if it is made of those of all units
     */
    default void overflow(String unit, Window window, WindowResult.Overflow group) {}

    /**
     * Makes sure that all that this was told before lasts; to be called before positions behind it are committed.
     *
     * @throws SinkException when that has failed: nothing is lost, and the next call tries again
     */
    default void flush() throws SinkException {}

    /** How many bytes wait in memory for a flush, roughly. */
    default long waiting() {
        return 0;
    }
}
