package io.updraft.pipeline.run;

import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;

/** A result that is another one in all but its rows. */
interface ForwardedResult extends WindowResult {

    WindowResult result();

    @Override
    default TimeWindow window() {
        return result().window();
    }

    @Override
    default Emission emission() {
        return result().emission();
    }

    @Override
    default Schema schema() {
        return result().schema();
    }

    @Override
    default int dimensions() {
        return result().dimensions();
    }

    @Override
    default boolean isOrdered() {
        return result().isOrdered();
    }

    @Override
    default long size() {
        return result().size();
    }
}
