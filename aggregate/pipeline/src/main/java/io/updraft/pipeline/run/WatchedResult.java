package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/** A result that reports progress whenever a sink has taken some of its rows. */
record WatchedResult(WindowResult result, Stop.Wait watch) implements WindowResult {

    /** Rows between two reports: even a slow sink takes this many in much less time than the limit. */
    private static final int ROWS = 256;

    @Override
    public Window window() {
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
    public void forEach(Consumer<Row> rows) {
        result.forEach(new Consumer<>() {
            private int taken;

            @Override
            public void accept(Row row) {
                rows.accept(row);
                if (++taken % ROWS == 0) {
                    watch.progress();
                }
            }
        });
    }
}
