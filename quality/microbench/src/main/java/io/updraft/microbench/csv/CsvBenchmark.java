package io.updraft.microbench.csv;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.updraft.base.record.Chunk;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
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
 * Measures the cost of decoding a CSV line to a row. A line has about 100 bytes and 19 columns, of which 6 are used. Updraft's
 * reader leaves text in place as UTF-8; FastCSV creates strings.
 *
 * <p>One operation is one line. The set-up checks that both readers compute the same sums.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CsvBenchmark {

    private static final int LINES = 1024;
    private static final String HEADER =
            "year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,"
                    + "carrier,flight,tailnum,origin,dest,air_time,distance,hour,minute,time_hour";
    private static final int DEP_DELAY = 5;
    private static final int ARR_DELAY = 8;
    private static final int CARRIER = 9;
    private static final int ORIGIN = 12;
    private static final int AIR_TIME = 14;
    private static final int DISTANCE = 15;

    /** Whether text is in quotes, as many exports have it. */
    @Param({"false", "true"})
    private boolean quoted;

    private byte[] bytes;
    private Chunk chunk;
    private Decoder decoder;
    private RecordRow row;
    private final Sums sums = new Sums();

    /** Makes lines, and checks that both read them alike. */
    @Setup
    public void setUp() throws IOException {
        bytes = lines().getBytes(StandardCharsets.UTF_8);
        chunk = new Chunk("bench", 0, bytes, bytes.length);
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of(HEADER.split(",")), ',', '"', ""),
                DecodedColumn.of("dep_delay", FieldType.LONG),
                DecodedColumn.of("arr_delay", FieldType.DOUBLE),
                DecodedColumn.of("carrier", FieldType.TEXT),
                DecodedColumn.of("origin", FieldType.TEXT),
                DecodedColumn.of("air_time", FieldType.LONG),
                DecodedColumn.of("distance", FieldType.LONG));
        decoder = Decoder.create(spec);
        row = new RecordRow(spec.schema());
        check();
    }

    private String lines() {
        Random random = new Random(1);
        StringBuilder lines = new StringBuilder();
        String quote = quoted ? "\"" : "";
        for (int i = 0; i < LINES; i++) {
            lines.append("2013,1,").append(1 + i % 28).append(",517,515,").append(random.nextInt(200) - 20);
            lines.append(",830,819,")
                    .append(random.nextInt(2000) / 10.0 - 20)
                    .append(',')
                    .append(quote);
            lines.append("AAUADLB6".charAt(random.nextInt(8)))
                    .append('A')
                    .append(quote)
                    .append(",1545,");
            lines.append(quote).append("N14228").append(quote).append(',').append(quote);
            lines.append(List.of("EWR", "JFK", "LGA").get(random.nextInt(3)))
                    .append(quote)
                    .append(',')
                    .append(quote);
            lines.append("IAH").append(quote).append(",227,").append(100 + random.nextInt(3000));
            lines.append(",5,15,2013-01-01T10:00:00Z\n");
        }
        return lines.toString();
    }

    private void check() throws IOException {
        sums.clear();
        decoder.decode(chunk, sums);
        String ours = sums.toString();
        sums.clear();
        readByFastCsv(sums);
        if (!ours.equals(sums.toString()) || sums.rows != LINES) {
            throw new IllegalStateException(ours + " and " + sums);
        }
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(LINES)
    public void updraft(Blackhole blackhole) {
        sums.blackhole = blackhole;
        decoder.decode(chunk, sums);
    }

    /** FastCSV over the same bytes. */
    @Benchmark
    @OperationsPerInvocation(LINES)
    public void fastcsv(Blackhole blackhole) throws IOException {
        sums.blackhole = blackhole;
        readByFastCsv(sums);
    }

    private void readByFastCsv(RowHandler rows) throws IOException {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(new ByteArrayInputStream(bytes))) {
            for (CsvRecord line : reader) {
                row.setLong(0, Long.parseLong(line.getField(DEP_DELAY)));
                row.setDouble(1, Double.parseDouble(line.getField(ARR_DELAY)));
                row.setText(2, line.getField(CARRIER));
                row.setText(3, line.getField(ORIGIN));
                row.setLong(4, Long.parseLong(line.getField(AIR_TIME)));
                row.setLong(5, Long.parseLong(line.getField(DISTANCE)));
                rows.row(row, 0, 0);
            }
        }
    }

    private static final class Sums implements RowHandler {
        private Blackhole blackhole;
        private long rows;
        private double sum;
        private int texts;

        void clear() {
            blackhole = null;
            rows = 0;
            sum = 0;
            texts = 0;
        }

        @Override
        public void row(RecordRow row, long position, long time) {
            if (blackhole != null) {
                blackhole.consume(row);
                return;
            }
            rows++;
            sum += row.getDouble(0) + row.getDouble(1) + row.getDouble(4) + row.getDouble(5);
            texts = 31 * texts + row.value(2).hashCode() + row.value(3).hashCode();
        }

        @Override
        public void rejected(long position, byte[] record, int from, int length, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public String toString() {
            return rows + " rows, " + sum + ", " + texts;
        }
    }
}
