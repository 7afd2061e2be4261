package io.updraft.storm.legacy.bridge;

import org.apache.storm.task.IOutputCollector;
import org.apache.storm.tuple.Tuple;

/** A collector of a bolt that was written for Storm 0.9, which had no batches to flush and fixed timeouts. */
public interface LegacyOutputCollector extends IOutputCollector {

    @Override
    default void resetTimeout(Tuple tuple) {}

    @Override
    default void flush() {}
}
