package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;

/** What the task that writes has counted. It writes, any thread reads. */
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

    /** A group was put aside since it overflows; says whether it is the first. */
    boolean overflowed() {
        publishedOverflows = ++overflows;
        return overflows == 1;
    }

    void publish() {
        publishedWindows = windows;
        publishedGroups = groups;
        publishedRetries = retries;
    }

    /** Results that were written and made durable; a window that was written twice counts twice. */
    long windows() {
        return publishedWindows;
    }

    long groups() {
        return publishedGroups;
    }

    /** Groups that were put aside since they overflow, once for each time that their window was written. */
    long overflows() {
        return publishedOverflows;
    }

    long retries() {
        return publishedRetries;
    }
}
