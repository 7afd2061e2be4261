package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Source;

/** The last progress of a source. The task that reads the source writes it, any thread reads it. */
final class SourceCounters {

    private volatile Source.Progress progress = new Source.Progress(0, -1, -1, "records");
    private volatile boolean ended;

    void publish(Source.Progress now, boolean isEnded) {
        progress = now;
        ended = isEnded;
    }

    Source.Progress progress() {
        return progress;
    }

    boolean isEnded() {
        return ended;
    }
}
