package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.RejectedSample.Kind;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.sink.RejectedRecordSink;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Passes dead letters and late rows to their sinks, if there are any, and keeps samples of them. */
final class RejectedRecordSinks implements RejectionHandler, AutoCloseable {

    /** The position of a group, which consists of many records. */
    private static final long NO_POSITION = -1;

    private final RejectedRecordSink deadLetters;
    private final RejectedRecordSink late;
    private final List<RejectedRecordSink> sinks;
    private final RejectionSamples samples = new RejectionSamples(System::nanoTime, System::currentTimeMillis);
    private RouteText text;
    private RouteText groupText;

    /** Creates an instance. A sink may be null: then its records are only counted. */
    public RejectedRecordSinks(RejectedRecordSink deadLetters, RejectedRecordSink late) {
        this.deadLetters = deadLetters;
        this.late = late;
        sinks = Stream.of(deadLetters, late).filter(Objects::nonNull).distinct().toList();
    }

    @Override
    public void reject(String partition, long position, byte[] bytes, int from, int length, String reason) {
        if (deadLetters != null) {
            deadLetters.accept(partition, position, reason, bytes, from, length);
        }
        if (samples.isDue(Kind.REJECTED)) {
            samples.add(Kind.REJECTED, partition, position, reason, bytes, from, length);
        }
    }

    @Override
    public void late(String partition, long position, RecordRow row, long time) {
        boolean isSample = samples.isDue(Kind.LATE);
        if (late == null && !isSample) {
            return;
        }
        byte[] text = text(row);
        String reason = "late: windows of " + Instant.ofEpochMilli(time) + " are closed";
        if (late != null) {
            late.accept(partition, position, reason, text, 0, text.length);
        }
        if (isSample) {
            samples.add(Kind.LATE, partition, position, reason, text, 0, text.length);
        }
    }

    @Override
    public void overflow(String partition, TimeWindow window, WindowResult.Overflow group) {
        boolean isSample = samples.isDue(Kind.OVERFLOW);
        if (deadLetters == null && !isSample) {
            return;
        }
        byte[] text = text(window, group.row());
        if (deadLetters != null) {
            deadLetters.accept(partition, NO_POSITION, group.reason(), text, 0, text.length);
        }
        if (isSample) {
            samples.add(Kind.OVERFLOW, partition, NO_POSITION, group.reason(), text, 0, text.length);
        }
    }

    private synchronized byte[] text(TimeWindow window, RecordRow group) {
        if (groupText == null) {
            groupText = new RouteText(group.schema(), List.of());
        }
        return groupText.group(window, group);
    }

    /** Returns the decoded row, not its record: the record may contain other rows that are not late. */
    private synchronized byte[] text(RecordRow row) {
        if (text == null) {
            text = new RouteText(row.schema(), List.of());
        }
        return text.row(row);
    }

    @Override
    public void flush() throws SinkException {
        for (RejectedRecordSink sink : sinks) {
            sink.flush();
        }
    }

    @Override
    public List<RejectedSample> newest() {
        return samples.newest();
    }

    @Override
    public long waiting() {
        samples.resume();
        return sinks.stream().mapToLong(RejectedRecordSink::waiting).sum();
    }

    @Override
    public void close() {
        sinks.forEach(RejectedRecordSink::close);
    }
}
