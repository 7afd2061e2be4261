package io.updraft.pipeline.writing;

import io.updraft.pipeline.retry.StopRequest;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/** A result that reports progress whenever a sink has taken some of its rows. */
record ProgressReportingResult(WindowResult result, StopRequest.WatchedWait watch) implements WindowResult {

    /** Rows between two reports: even a slow sink takes this many in much less time than the limit. */
    private static final int ROWS = 256;

    @Override
    public TimeWindow window() {
        return result.window();
    }

    @Override
    public Emission emission() {
        return result.emission();
    }

    @Override
    public Schema schema() {
        return result.schema();
    }

    @Override
    public int dimensions() {
        return result.dimensions();
    }

    @Override
    public long size() {
        return result.size();
    }

    @Override
    public void forEach(Consumer<RecordRow> rows) {
        result.forEach(new Consumer<>() {
            private int taken;

            @Override
            public void accept(RecordRow row) {
                rows.accept(row);
                if (++taken % ROWS == 0) {
                    watch.progress();
                }
            }
        });
    }
}
