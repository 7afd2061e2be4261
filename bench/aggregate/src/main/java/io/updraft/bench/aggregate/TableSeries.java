package io.updraft.bench.aggregate;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.RunResult;
import java.util.ArrayList;
import java.util.List;

/** The runs of one shape at one place. */
record TableSeries(TableSpec spec, TablePlacement placement, int workers, int parallelism, List<RunResult> runs) {

    /** Creates a series without runs. */
    TableSeries(TableSpec spec, TablePlacement placement, int workers, int parallelism) {
        this(spec, placement, workers, parallelism, new ArrayList<>());
    }

    boolean alone() {
        return placement == TablePlacement.ALONE;
    }

    String name() {
        return placement.title() + (placement.hasWorkers() ? ", " + workers + " workers" : "");
    }

    /** {@return the name of the curve over the parallelism} */
    String curve() {
        return spec.title() + ", " + name();
    }

    double recordsPerSecond() {
        return Experiment.median(runs, RunResult::messagesPerSecond);
    }

    String switches() {
        double switches = Experiment.median(runs, RunResult::switchesPerThousand);
        return switches < 0 ? "-" : NumberFormats.decimal(switches);
    }
}
