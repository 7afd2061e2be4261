package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.timeseries.decode.Decoder;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The settings of a run of any kind.
 *
 * @param name the name of the pipeline, for logs and threads
 * @param keyed whether the rows of a key all come from one partition; then partitions are aggregated on their own
 * @param track whether the positions of partitions are tracked and committed
 * @param parallelism the number of tasks, at least 1
 * @param alarm how long a record may wait to be written before an alarm, beyond the time that its windows take; zero for no
 *     alarm
 * @param giveUp how long sinks may refuse writes before the run fails; null for no limit
 * @param unusable decides whether positions behind unusable records are committed; shared by all tasks
 */
record RunSettings(
        String name,
        SourceOpener source,
        Supplier<Decoder> decoders,
        boolean keyed,
        boolean track,
        int parallelism,
        Duration alarm,
        Duration giveUp,
        RejectedRecords rejected,
        UnusableRecords unusable) {

    public interface SourceOpener {
        /**
         * Opens the source. Called once, by the thread that uses it.
         *
         * @param kept the positions from which partitions continue, as sinks have stored them, by partition; null if no sink stores
         *     positions
         */
        RecordSource open(Map<String, PartitionPosition> kept) throws SourceException;
    }
}
