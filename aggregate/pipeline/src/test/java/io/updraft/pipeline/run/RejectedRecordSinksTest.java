package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RejectedRecordSinksTest {

    @TempDir
    Path directory;

    @Test
    void shouldWriteLateRowsAsJsonWhateverTheirValuesAre() throws Exception {
        Path file = directory.resolve("late.json");
        Schema schema = new Schema(List.of(
                new Schema.Field("a", FieldType.DOUBLE),
                new Schema.Field("b", FieldType.DOUBLE),
                new Schema.Field("c", FieldType.TEXT),
                new Schema.Field("d", FieldType.LONG)));
        RecordRow row = new RecordRow(schema);
        row.setDouble(0, Double.NaN);
        row.setDouble(1, Double.NEGATIVE_INFINITY);
        row.setText(2, "\"\u0001");
        try (RejectedRecordSinks rejected =
                new RejectedRecordSinks(null, new RejectedRecordSinkOptions.Lines(file, 100_000_000, 4).sink())) {
            rejected.late("u", 7, row, 1000);
        }
        String late = "{\"a\":\"NaN\",\"b\":\"-Infinity\",\"c\":\"\\\"\\u0001\",\"d\":null}";
        assertThat(Files.readString(file))
                .isEqualTo(
                        "{\"unit\":\"u\",\"position\":7,\"reason\":\"late: windows of 1970-01-01T00:00:01Z are closed\","
                                + "\"record\":\"" + late.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}\n");
    }
}
