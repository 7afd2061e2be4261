package io.updraft.bench.aggregate;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.source.SourceFactory;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A part of a pipeline on one thread, without a topology. The progress may be read by other threads. */
final class PartRun implements RowHandler, AutoCloseable {

    /** A thread that asks an empty source again and again would measure that. */
    private static final long PAUSE_NANOS = 200_000;

    private final PipelineJob job;
    private final RecordSource source;
    private final Decoder decoder;
    private final Aggregator aggregator;
    private final ResultSink sink;
    private final int time;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    /** The time of the last row of each file; {@link Long#MIN_VALUE} before the first. */
    private final Map<String, long[]> times = new HashMap<>();

    private long[] latest;
    private long closing;
    private long bytes;
    private long decoded;
    private volatile long records;
    private volatile long resultNanos;

    PartRun(PipelineJob job, PipelineSpec spec) throws Exception {
        this.job = job;
        Query query = spec.aggregate().query(spec.decode().schema());
        time = query.input().slot(spec.time().field());
        Set<String> read = query.measuredFields();
        read.add(spec.time().field());
        decoder = Decoder.create(spec.decode(), query.dimensions(), read);
        aggregator = Aggregators.create(query, AggregatorOptions.inMemory());
        source = SourceFactory.open(spec.source(), spec.decode(), Duration.ZERO, spec.state(), null);
        sink = spec.sinks().get(0).sink();
        sink.open(query.result(), query.dimensions().size());
    }

    /** {@return the number of records that were read; without decoding, by the bytes} */
    long records() {
        return records;
    }

    /** {@return the CPU time of closing windows and writing their results} */
    long resultNanos() {
        return resultNanos;
    }

    /** Reads to the end. */
    void run() throws Exception {
        while (!source.ended()) {
            List<SourceEvent> events = source.poll();
            if (events.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            for (SourceEvent event : events) {
                take(event);
            }
            records = job.part() == PipelinePart.READ ? bytes * job.records() / job.bytes() : decoded;
        }
        if (job.part().hasResults()) {
            closeWindows(Long.MAX_VALUE);
        }
    }

    private void take(SourceEvent event) throws SinkException {
        if (event instanceof RecordSource.Event.Opened opened) {
            times.put(opened.partition(), new long[] {Long.MIN_VALUE});
        } else if (event instanceof Chunk chunk) {
            bytes += chunk.length();
            latest = times.get(chunk.partition());
            if (job.part() != PipelinePart.READ) {
                decoded += decoder.decode(chunk, this);
            }
            chunk.release();
            closePassedWindows();
        }
    }

    @Override
    public void row(RecordRow row, long position, long sourceTime) {
        if (job.part() == PipelinePart.AGGREGATE) {
            latest[0] = row.getLong(time);
            if (aggregator.add(row, latest[0]) == Aggregator.LATE) {
                throw new IllegalStateException("a record is late");
            }
        }
    }

    @Override
    public void rows(RowBlock block) {
        if (job.part() != PipelinePart.AGGREGATE) {
            return;
        }
        long[] all = block.values(time);
        long last = all[block.count() - 1];
        // Times rise in each file.
        if (!aggregator.areTogether(all[0], last)) {
            RowHandler.super.rows(block);
            return;
        }
        latest[0] = last;
        if (aggregator.add(block, all[0]) == Aggregator.LATE) {
            throw new IllegalStateException("records are late");
        }
    }

    @Override
    public void rejected(long position, byte[] bytes, int from, int length, String reason) {
        throw new IllegalStateException("a record cannot be decoded: " + reason);
    }

    private void closePassedWindows() throws SinkException {
        long watermark = Collections.min(times.values(), (one, other) -> Long.compare(one[0], other[0]))[0];
        if (watermark >= closing) {
            closeWindows(watermark);
            long window = TableRecords.WINDOW.toMillis();
            closing = Math.floorDiv(watermark, window) * window + window;
        }
    }

    private void closeWindows(long watermark) throws SinkException {
        long before = threads.getCurrentThreadCpuTime();
        for (PartialResult result : aggregator.closeWindows(watermark)) {
            sink.write(result, null);
        }
        sink.flush(List.of());
        resultNanos += threads.getCurrentThreadCpuTime() - before;
    }

    @Override
    public void close() {
        source.close();
        aggregator.close();
        sink.close();
    }
}
