package io.updraft.observe.history;

/** How the values of consecutive samples become the value of a longer step. */
enum Merge {
    /** The mean, weighted with the lengths of the samples: rates and shares. */
    MEAN,
    /** The sum: numbers of rare events. */
    SUM,
    /** The largest value: queues and latencies. */
    MAX
}
