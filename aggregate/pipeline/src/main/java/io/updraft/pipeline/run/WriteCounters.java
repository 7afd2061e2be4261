package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;

/** The counters of the write task. The task writes them, any thread reads them. */
final class WriteCounters {

    private long windows;
    private long groups;
    private long retries;
    private long overflows;

    private volatile long publishedWindows;
    private volatile long publishedGroups;
    private volatile long publishedRetries;
    private volatile long publishedOverflows;

    void written(WindowResult result) {
        windows++;
        groups += result.size();
    }

    void retried() {
        retries++;
        publish();
    }

    /** Counts a group that became a dead letter since it overflows; returns whether it is the first. */
    boolean overflowed() {
        publishedOverflows = ++overflows;
        return overflows == 1;
    }

    void publish() {
        publishedWindows = windows;
        publishedGroups = groups;
        publishedRetries = retries;
    }

    /** Returns how many results were written and made durable; a window that was written twice counts twice. */
    long windows() {
        return publishedWindows;
    }

    long groups() {
        return publishedGroups;
    }

    /** Returns how many groups became dead letters since they overflow, counted each time that their window was written. */
    long overflows() {
        return publishedOverflows;
    }

    long retries() {
        return publishedRetries;
    }
}
