package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.RecordSink;
import io.updraft.pipeline.sink.RouteText;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.timeseries.record.Row;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Puts aside what is in no result, if somebody wants it. */
final class RecordSinkAside implements Aside, AutoCloseable {

    private final RecordSink bad;
    private final RecordSink late;
    private final List<RecordSink> sinks;
    private RouteText text;

    /** Either may be null: then it is only counted. */
    RecordSinkAside(RecordSink bad, RecordSink late) {
        this.bad = bad;
        this.late = late;
        sinks = Stream.of(bad, late).filter(Objects::nonNull).distinct().toList();
    }

    @Override
    public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {
        if (bad != null) {
            bad.accept(unit, position, reason, bytes, from, length);
        }
    }

    @Override
    public void late(String unit, long position, Row row, long time) {
        if (late != null) {
            byte[] text = text(row);
            late.accept(
                    unit,
                    position,
                    "late: windows of " + Instant.ofEpochMilli(time) + " are closed",
                    text,
                    0,
                    text.length);
        }
    }

    /** The row as it was decoded: the record that it was made of may hold others that are not late. */
    private synchronized byte[] text(Row row) {
        if (text == null) {
            text = new RouteText(row.schema(), List.of());
        }
        return text.row(row);
    }

    @Override
    public void flush() throws SinkException {
        for (RecordSink sink : sinks) {
            sink.flush();
        }
    }

    @Override
    public long waiting() {
        long waiting = 0;
        for (RecordSink sink : sinks) {
            waiting += sink.waiting();
        }
        return waiting;
    }

    @Override
    public void close() {
        sinks.forEach(RecordSink::close);
    }
}
