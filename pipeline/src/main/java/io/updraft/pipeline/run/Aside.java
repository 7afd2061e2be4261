package io.updraft.pipeline.run;

import io.updraft.timeseries.record.Row;

/** Told of what is in no result. Aggregate tasks call it, each on its own thread, so it must be safe for them; it never throws. */
public interface Aside {

    /** Keeps nothing: the counters tell how many there were. */
    Aside NONE = new Aside() {
        @Override
        public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {}

        @Override
        public void late(String unit, long position, Row row, long time) {}
    };

    /** A record that cannot be decoded, or whose time cannot be true. The bytes are the caller's again when this returns. */
    void bad(String unit, long position, byte[] bytes, int from, int length, String reason);

    /** A row whose windows are all closed. The row is the caller's again when this returns. */
    void late(String unit, long position, Row row, long time);
}
