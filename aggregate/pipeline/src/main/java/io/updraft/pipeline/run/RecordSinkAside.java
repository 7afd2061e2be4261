package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.RecordSink;
import io.updraft.pipeline.sink.RouteText;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Row;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Passes dead letters and late rows to their sinks, if there are any. */
final class RecordSinkAside implements Aside, AutoCloseable {

    /** The position of a group, which consists of many records. */
    private static final long NO_POSITION = -1;

    private final RecordSink bad;
    private final RecordSink late;
    private final List<RecordSink> sinks;
    private RouteText text;
    private RouteText groupText;

    /** Creates an instance. A sink may be null: then its records are only counted. */
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

    @Override
    public void overflow(String unit, Window window, WindowResult.Overflow group) {
        if (bad != null) {
            byte[] text = text(window, group.row());
            bad.accept(unit, NO_POSITION, group.reason(), text, 0, text.length);
        }
    }

    private synchronized byte[] text(Window window, Row group) {
        if (groupText == null) {
            groupText = new RouteText(group.schema(), List.of());
        }
        return groupText.group(window, group);
    }

    /** Returns the decoded row, not its record: the record may contain other rows that are not late. */
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
        return sinks.stream().mapToLong(RecordSink::waiting).sum();
    }

    @Override
    public void close() {
        sinks.forEach(RecordSink::close);
    }
}
