package io.updraft.observe.history;

import java.util.List;

/**
 * Figures that are sampled together, such as those of one component.
 *
 * @param kind what the series describes
 * @param name the component, the number of the worker, or the source of a pipeline; empty if there is only one series of the kind
 * @param figures the numbers of a sample, in their order
 */
record HistorySeries(Kind kind, String name, List<Figure> figures) {
    enum Kind {
        SPOUT,
        BOLT,
        LOOPS,
        PIPELINE,
        PROCESS,
        WORKER
    }

    /** Not that of all figures: series are looked up for each sample. */
    @Override
    public int hashCode() {
        return 31 * name.hashCode() + kind.ordinal();
    }

    boolean isComponent() {
        return kind == Kind.SPOUT || kind == Kind.BOLT;
    }
}
