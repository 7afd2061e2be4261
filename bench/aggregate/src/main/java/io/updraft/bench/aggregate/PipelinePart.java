package io.updraft.bench.aggregate;

import java.util.Locale;

/** The parts of a pipeline that run alone. Each has the one before it, so that differences are the cost of what was added. */
enum PipelinePart {
    /** One thread takes the chunks that the source reads ahead. */
    READ,
    /** And decodes them. */
    DECODE,
    /** And adds the rows to a table, without a topology, and writes the results. */
    AGGREGATE,
    /** The whole pipeline. */
    PIPELINE;

    boolean hasResults() {
        return this == AGGREGATE || this == PIPELINE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
