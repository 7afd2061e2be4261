package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class StdinSourceTest {

    private static final DecodeSpec CSV =
            DecodeSpec.csv(new CsvFormat(List.of("k", "v"), ',', '"', ""), DecodedColumn.of("k", FieldType.TEXT));

    @Test
    void shouldHandOverWhatIsWholeWithoutWaitingForMore() throws Exception {
        PipedOutputStream pipe = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(pipe);
        try (SourceReading reading =
                new SourceReading(new StdinSource(new SourceSpec.Stdin(true, 1 << 20), CSV, () -> in))) {
            pipe.write("k,v\na,1\nb,".getBytes(UTF_8));
            pipe.flush();
            reading.until(() -> reading.text("stdin").equals("a,1\n"));
            pipe.write("2".getBytes(UTF_8));
            pipe.close();
            assertThat(reading.toEnd().text("stdin")).isEqualTo("a,1\nb,2");
            assertThat(reading.positions()).containsEntry("stdin", 11L);
        }
    }

    @Test
    void shouldSayWhereItBroke() throws Exception {
        InputStream broken = new InputStream() {
            private final InputStream first = new ByteArrayInputStream("a,1\n".getBytes(UTF_8));

            @Override
            public int read() throws IOException {
                int next = first.read();
                if (next < 0) {
                    throw new IOException("the pipe is broken");
                }
                return next;
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                bytes[from] = (byte) read();
                return 1;
            }
        };
        try (SourceReading reading =
                new SourceReading(new StdinSource(new SourceSpec.Stdin(false, 1 << 20), CSV, () -> broken))) {
            assertThatThrownBy(reading::toEnd).hasMessage("stdin: reading failed after byte 4: the pipe is broken");
            assertThat(reading.text("stdin")).isEqualTo("a,1\n");
        }
    }
}
