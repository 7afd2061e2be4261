package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.RecordRow;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class DecoderAllocationTest {

    private static final int RECORDS = 1_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void shouldAllocateNothingForRecordsOfJson() {
        DecodeSpec spec = DecodeSpec.json(
                        DecodedColumn.of("name", TEXT, "@.name"),
                        DecodedColumn.of("x", DOUBLE, "gauges[*].x"),
                        DecodedColumn.of("n", LONG, "n").or("5"),
                        DecodedColumn.of("t", TIME))
                .deriving("minute", "truncate(t, '1m')")
                .deriving("key", "concat(upper(name), '/', name)")
                .deriving("product", "x * n")
                .keeping("name in ('a\tb', 'c/d') and x < 1e9");
        String record = "{\"t\":\"2026-01-01T00:00:01.5+01:00\",\"other\":[{\"z\":[1,null,true]}],\"gauges\":["
                + "{\"name\":\"a\\tb\",\"x\":0.1234567890123456},{\"x\":-1.5e3,\"name\":\"c\\/d\"}]}\n";

        assertThat(bytesPerRecord(spec, record)).isLessThan(1);
    }

    @Test
    void shouldAllocateNothingForRecordsOfCsv() {
        DecodeSpec spec = DecodeSpec.csv(
                CsvFormat.STANDARD,
                DecodedColumn.of("a", TEXT),
                DecodedColumn.of("x", DOUBLE),
                DecodedColumn.of("n", LONG),
                DecodedColumn.of("t", TIME));
        String record = "\"a,\"\"é\"\"\",0.1234567890123456,-12,2026-01-01,rest\n";

        assertThat(bytesPerRecord(spec, record)).isLessThan(1);
    }

    private static double bytesPerRecord(DecodeSpec spec, String record) {
        boolean csv = spec.format() == DecodeSpec.Format.CSV;
        byte[] bytes = record.repeat(RECORDS).getBytes(StandardCharsets.UTF_8);
        byte[] header = csv ? "a,x,n,t,r".getBytes(StandardCharsets.UTF_8) : null;
        Chunk chunk = new Chunk("u", 1, bytes, bytes.length, header);
        Decoder decoder = Decoder.create(spec);
        Count count = new Count();
        decoder.decode(chunk, count);
        assertThat(count.rows).isGreaterThanOrEqualTo(RECORDS);

        // The least of some, as the JVM itself may allocate on this thread while it compiles.
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            decoder.decode(chunk, count);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return (double) least / RECORDS;
    }

    private static final class Count implements RowHandler {
        private int rows;

        @Override
        public void row(RecordRow row, long position, long time) {
            rows++;
        }

        @Override
        public void rejected(long position, byte[] bytes, int from, int length, String reason) {
            throw new IllegalStateException(reason);
        }
    }
}
