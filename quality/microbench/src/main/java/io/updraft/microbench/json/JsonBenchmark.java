package io.updraft.microbench.json;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.RecordRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures the cost of decoding a JSON record to a row. Updraft's parser leaves text in place as UTF-8; the libraries create a
 * string for each text. The limit is "read", which adds up every byte.
 *
 * <p>One operation is one record. The set-up checks that each parser produces the same rows as Updraft's. {@code simdjson}
 * needs JDK 24 and {@code -jvmArgs "--add-modules jdk.incubator.vector"}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JsonBenchmark {

    /** The shape of the records. */
    @Param({"large", "small"})
    private String shape;

    /** The library; simdjson is left out unless it is asked for. */
    @Param({"read", "updraft", "fastjson2", "dsljson", "jackson"})
    private String parser;

    private Records records;
    private RecordRow row;
    private JsonParser library;
    private Decoder decoder;
    private Chunk chunk;
    private Consumer consumer;

    /** Makes records, and checks that the parser reads them as ours does. */
    @Setup
    public void setUp() throws IOException {
        records = Records.of(shape);
        row = new RecordRow(records.spec().schema());
        chunk = records.lines();
        decoder = Decoder.create(records.spec());
        consumer = new Consumer();
        Wanted wanted = Wanted.of(records.spec());
        library = switch (parser) {
            case "fastjson2" -> new Fastjson2Parser(wanted);
            case "dsljson" -> new DslJsonParser(wanted);
            case "jackson" -> new JacksonParser(wanted);
            case "simdjson" -> new SimdJsonParser(wanted);
            default -> null;
        };
        check();
    }

    private void check() throws IOException {
        Values values = new Values();
        decoder.decode(chunk, values);
        if (values.rows.size() != Records.COUNT) {
            throw new IllegalStateException(values.rows.size() + " rows");
        }
        for (int i = 0; library != null && i < Records.COUNT; i++) {
            row.clear();
            library.parse(records.texts()[i], row);
            if (!Values.of(row).equals(values.rows.get(i))) {
                throw new IllegalStateException(Values.of(row) + " instead of " + values.rows.get(i));
            }
        }
    }

    /** A row for each record. */
    @Benchmark
    @OperationsPerInvocation(Records.COUNT)
    public void decode(Blackhole blackhole) throws IOException {
        if (library != null) {
            for (byte[] text : records.texts()) {
                row.clear();
                library.parse(text, row);
                blackhole.consume(row);
            }
        } else if (parser.equals("updraft")) {
            consumer.blackhole = blackhole;
            decoder.decode(chunk, consumer);
        } else {
            blackhole.consume(sum(chunk.bytes(), chunk.length()));
        }
    }

    private static int sum(byte[] bytes, int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += bytes[i];
        }
        return sum;
    }

    private static final class Consumer implements RowHandler {
        private Blackhole blackhole;

        @Override
        public void row(RecordRow row, long position, long time) {
            blackhole.consume(row);
        }

        @Override
        public void rejected(long position, byte[] bytes, int from, int length, String reason) {
            throw new IllegalStateException(reason);
        }
    }

    private static final class Values implements RowHandler {
        private final List<List<Object>> rows = new ArrayList<>();

        static List<Object> of(RecordRow row) {
            List<Object> values = new ArrayList<>();
            for (int slot = 0; slot < row.schema().size(); slot++) {
                values.add(row.value(slot));
            }
            return values;
        }

        @Override
        public void row(RecordRow row, long position, long time) {
            rows.add(of(row));
        }

        @Override
        public void rejected(long position, byte[] bytes, int from, int length, String reason) {
            throw new IllegalStateException(reason);
        }
    }
}
