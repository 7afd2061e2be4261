package io.updraft.bench.aggregate;

import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.ZipfText;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Emits the sentences of {@link ZipfText} in an endless loop, until the run's spouts must stop. Each reader begins with the first
 * sentence and needs no split: the enumerator, which is that of number sequences, assigns none unless it is asked.
 */
final class SentenceSource implements Source<String, NumberSequenceSplit, Collection<NumberSequenceSplit>> {

    private static final long serialVersionUID = 1;

    private final NumberSequenceSource numbers = new NumberSequenceSource(0, Long.MAX_VALUE - 1);
    private final String runId;
    private final double zipf;

    SentenceSource(String runId, double zipf) {
        this.runId = runId;
        this.zipf = zipf;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<String, NumberSequenceSplit> createReader(SourceReaderContext context) {
        return new Reader(BenchRunState.of(runId), new ZipfText(zipf));
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context) {
        return numbers.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context, Collection<NumberSequenceSplit> checkpoint) {
        return numbers.restoreEnumerator(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<NumberSequenceSplit> getSplitSerializer() {
        return numbers.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<NumberSequenceSplit>> getEnumeratorCheckpointSerializer() {
        return numbers.getEnumeratorCheckpointSerializer();
    }

    /** Used by the task's thread. */
    private static final class Reader implements SourceReader<String, NumberSequenceSplit> {

        private final BenchRunState run;
        private final ZipfText text;
        private BenchTaskCounters probe;
        private long next;

        Reader(BenchRunState run, ZipfText text) {
            this.run = run;
            this.text = text;
        }

        @Override
        public void start() {
            probe = run.probe(BenchTopology.SPOUT);
        }

        @Override
        public InputStatus pollNext(ReaderOutput<String> output) {
            if (run.isQuiet()) {
                return InputStatus.END_OF_INPUT;
            }
            output.collect(text.sentence(next++));
            probe.emitted();
            return InputStatus.MORE_AVAILABLE;
        }

        @Override
        public List<NumberSequenceSplit> snapshotState(long checkpoint) {
            return List.of();
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void addSplits(List<NumberSequenceSplit> splits) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }
}
