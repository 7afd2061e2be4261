package io.updraft.bench.aggregate.files;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.peer.PeerMain;
import io.updraft.bench.aggregate.peer.PeerUsage;
import io.updraft.pipeline.PipelineProgress;
import io.updraft.pipeline.RunningPipeline;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.factory.SourceFactory;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.Decoders;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.RecordChunk;
import io.updraft.timeseries.record.RecordRow;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The child JVM: reads a {@link FilesSpec}, runs it once, reports rate and CPU time, and ends. */
public final class FilesMain {

    /** The fraction of the records that warm up the JVM. */
    private static final double WARMUP = 0.3;

    private static final Duration LOOK = Duration.ofMillis(20);

    private final FilesSpec spec;
    private long from;
    private PeerUsage before;

    private FilesMain(FilesSpec spec) {
        this.spec = spec;
    }

    /**
     * Runs the child.
     *
     * @throws Exception when the pipeline cannot run; the JVM then ends with a stack trace in its log
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<String, Object> line = new LinkedHashMap<>(Map.of("what", "end"));
        line.putAll(new FilesMain(Json.read(in.readLine(), FilesSpec.class)).run());
        out.println(PeerMain.MARK + Json.write(line));
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private Map<String, Object> run() throws Exception {
        PipelineSpec pipeline = new SpecReader(Map.of()).read("files.yaml", spec.description(), "files");
        long records = spec.mode() == FilesSpec.Mode.PIPELINE ? whole(pipeline) : part(pipeline);
        PeerUsage after = PeerUsage.now();
        if (before == null) {
            throw new IllegalStateException("only " + records + " of " + spec.records() + " records were read");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("records", records);
        result.put("recordsPerSecond", (records - from) * 1e3 / Math.max(1, after.millis() - before.millis()));
        result.put("cpuPerMillion", (after.cpuNanos() - before.cpuNanos()) / 1e3 / Math.max(1, records - from));
        return result;
    }

    private void warm(long records) {
        if (before == null && records >= spec.records() * WARMUP) {
            from = records;
            before = PeerUsage.now();
        }
    }

    private long whole(PipelineSpec pipeline) throws Exception {
        try (RunningPipeline running = Pipelines.start(pipeline)) {
            while (!running.awaitEnd(LOOK)) {
                warm(running.progress().rows());
            }
            if (running.failure() != null) {
                throw new IllegalStateException(running.failure());
            }
            PipelineProgress end = running.progress();
            if (end.bad() > 0 || end.late() > 0) {
                throw new IllegalStateException(
                        end.bad() + " records could not be decoded, " + end.late() + " were late");
            }
            return end.rows();
        }
    }

    private long part(PipelineSpec pipeline) throws Exception {
        Count count = new Count();
        Decoder decoder = Decoders.create(pipeline.decode());
        try (RecordSource source =
                SourceFactory.open(pipeline.source(), pipeline.decode(), Duration.ZERO, null, null)) {
            while (!source.ended()) {
                for (RecordSource.Event event : source.poll()) {
                    if (event instanceof RecordSource.Event.Records records) {
                        take(records.chunk(), decoder, count);
                    }
                }
                warm(count.records);
            }
        }
        return count.records;
    }

    private void take(RecordChunk chunk, Decoder decoder, Count count) {
        if (spec.mode() == FilesSpec.Mode.DECODE) {
            decoder.decode(chunk, count);
        } else {
            count.bytes += chunk.length();
            count.records = (long) ((double) count.bytes / spec.bytes() * spec.records());
        }
        chunk.release();
    }

    /** Counts decoded records. Without decoding, the number of records is estimated from the number of bytes. */
    private static final class Count implements RowHandler {

        private long records;

        private long bytes;

        @Override
        public void row(RecordRow row, long position, long time) {
            records++;
        }

        @Override
        public void bad(long position, byte[] bytes, int from, int length, String reason) {
            throw new IllegalStateException("a record cannot be decoded: " + reason);
        }
    }
}
