package io.updraft.storm.legacy.bridge;

import org.apache.storm.spout.ISpoutOutputCollector;

/** A collector of a spout that was written for Storm 0.9, which had no batches to flush and did not count what is in flight. */
public interface LegacySpoutOutputCollector extends ISpoutOutputCollector {

    @Override
    default long getPendingCount() {
        return 0;
    }

    @Override
    default void flush() {}
}
