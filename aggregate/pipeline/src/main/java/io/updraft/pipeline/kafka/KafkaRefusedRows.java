package io.updraft.pipeline.kafka;

import io.updraft.kafka.sink.RecordRefusals;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds the rows of refused records, whose numbers count the rows of all results. */
final class KafkaRefusedRows {

    private final RecordRefusals refusals;
    private final KafkaRecordText text;
    private final List<RefusedRow> refused = new ArrayList<>();
    private long number;

    KafkaRefusedRows(RecordRefusals refusals, KafkaRecordText text) {
        this.refusals = refusals;
        this.text = text;
    }

    List<RefusedRow> of(List<WindowResult> results) {
        for (int i = 0; i < results.size(); i++) {
            WindowResult result = results.get(i);
            int index = i;
            result.forEach(new Consumer<>() {
                private long next;

                @Override
                public void accept(RecordRow row) {
                    byte[] key = text.key(row);
                    int bytes = (key == null ? 0 : key.length) + text.value(result.window(), row).length;
                    String reason = refusals.reason(number++, bytes);
                    if (reason != null) {
                        refused.add(new RefusedRow(index, next, reason));
                    }
                    next++;
                }
            });
        }
        return refused;
    }
}
