package io.updraft.pipeline.run;

import io.updraft.kafka.router.Router;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.Selection;
import io.updraft.timeseries.query.WindowCalendar;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** The plan of a run, made from a description. */
sealed interface RunPlan {

    /** Returns what runs of every kind have. */
    Settings settings();

    /**
     * The plan of a run that routes rows by their key and does not aggregate.
     *
     * @param router the router of all tasks; closed by the code that started the run
     * @param key the fields by which rows are routed
     * @param rows whether rows are written, as JSON; if not, the records as they were read
     */
    record Routing(Settings settings, Router router, Schema schema, List<String> key, boolean rows)
            implements RunPlan {}

    /**
     * The plan of a run that aggregates rows.
     *
     * @param selection what is written of the groups; null for all groups with their measures
     * @param unique the ids of rows, shared by all tasks; null if duplicates count
     * @param limits the limits of all aggregators together
     * @param early how often results of open windows are written before their end; zero for never
     * @param flush how long results and positions may wait to be made durable, unless the run ends before
     * @param sinks the sinks of this run alone, each opened by the thread that uses it; a sink that stores positions comes last
     */
    record Aggregation(
            Settings settings,
            Query query,
            Selection selection,
            UniqueRows unique,
            AggregatorOptions limits,
            TimeSpec time,
            Duration early,
            Duration flush,
            List<ResultSink> sinks)
            implements RunPlan {

        private static final Pattern SEPARATORS = Pattern.compile("[\\\\,\\]]");

        /**
         * Returns a fingerprint of the windows: length, grouping and source of the time. It is stored with each position, so it is
         * short. A run of the same name with other windows would otherwise continue in the middle of its first windows.
         */
        public String windowFingerprint() {
            return fingerprint(name -> SEPARATORS.matcher(name).replaceAll("\\\\$0"));
        }

        /**
         * Returns whether an earlier run had the same windows. Earlier versions did not escape names, so that of {@code "a, b"} was
         * that of {@code a} and {@code b}.
         *
         * @param before the fingerprint that the earlier run has stored
         */
        public boolean hasWindowsOf(String before) {
            return before.equals(windowFingerprint()) || before.equals(fingerprint(name -> name));
        }

        /** Most names need no escape, so that their fingerprints are those of earlier versions. */
        private String fingerprint(UnaryOperator<String> escape) {
            WindowSpec window = query.window();
            List<String> dimensions =
                    query.dimensions().stream().sorted().map(escape).toList();
            WindowCalendar calendar = window.calendar();
            String lengths = calendar == null
                    ? window.size() + " " + window.slide()
                    : calendar.unit() + " " + calendar.slide() + " " + calendar.zone() + " " + calendar.zoneField();
            CRC32C hash = new CRC32C();
            hash.update((lengths + " " + dimensions + " " + time.origin() + " " + time.field())
                    .getBytes(StandardCharsets.UTF_8));
            return Long.toHexString(hash.getValue());
        }
    }

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
    record Settings(
            String name,
            SourceOpener source,
            Supplier<Decoder> decoders,
            boolean keyed,
            boolean track,
            int parallelism,
            Duration alarm,
            Duration giveUp,
            RejectionHandler rejected,
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
}
