package io.updraft.storm.legacy.bridge;

import org.apache.storm.trident.operation.TridentCollector;

/** A collector of Trident that was written for Storm 0.9, which had no batches to flush. */
public interface LegacyTridentCollector extends TridentCollector {

    @Override
    default void flush() {}
}
