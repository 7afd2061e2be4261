package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;

/** What the task that writes has counted. It writes, any thread reads. */
final class WriteCounters {

    private long windows;
    private long groups;
    private long retries;

    private volatile long publishedWindows;
    private volatile long publishedGroups;
    private volatile long publishedRetries;

    void written(WindowResult result) {
        windows++;
        groups += result.size();
    }

    void retried() {
        retries++;
        publish();
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

    long retries() {
        return publishedRetries;
    }
}
