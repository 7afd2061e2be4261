package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.FencedException;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.kafka.sink.TransactionalWriter;
import io.updraft.kafka.sink.WriteException;
import io.updraft.kafka.sink.WriterSettings;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Writes results to a topic of the source's cluster, in one transaction with the positions of their records. Readers of
 * committed records see each result once, even if processes die.
 */
final class TransactionalKafkaSink implements ResultSink {

    private final KafkaSinkOptions options;
    private final ShareCoordinator coordinator;
    private TransactionalWriter writer;
    private KafkaRecordText text;
    private final List<WindowResult> results = new ArrayList<>();
    /** Whether the outcome of the last commit is unknown: Kafka has not answered yet. */
    private boolean asking;

    /**
     * Creates a sink.
     *
     * @param options the topic and its settings; the transactional id is not used, since the coordinator has one for each
     *     process
     */
    public TransactionalKafkaSink(KafkaSinkOptions options, ShareCoordinator coordinator) {
        this.options = options;
        this.coordinator = coordinator;
    }

    @Override
    public String where() {
        return KafkaSinkOptions.where(options.client(), options.topic());
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        try {
            KafkaSinkOptions.check(options.client(), options.topic());
        } catch (KafkaException e) {
            throw failure(e instanceof RetriableException, e);
        }
        text = new KafkaRecordText(options.format(), columns, dimensions);
        writer = new TransactionalWriter(WriterSettings.of(Map.copyOf(options.client())), coordinator);
    }

    @Override
    public void write(WindowResult result, String share) {
        if (!asking) {
            results.add(result); // Else the result is one that was written before.
        }
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        Map<KafkaShare, List<PartitionPosition>> positions = new LinkedHashMap<>();
        for (PartitionPosition commit : commits) {
            positions
                    .computeIfAbsent((KafkaShare) commit.ownership(), each -> new ArrayList<>())
                    .add(commit);
        }
        List<Share.Commit> offsets = new ArrayList<>();
        positions.forEach((share, shareCommits) -> share.commit(shareCommits).ifPresent(offsets::add));
        if (offsets.isEmpty()) {
            if (results.isEmpty()) {
                return true;
            }
            throw new IllegalStateException("results need a position with an owned share to be written");
        }
        asking = false;
        try {
            writer.commit(this::send, offsets);
            return true;
        } catch (FencedException e) {
            throw SinkException.lostOwnerships(lost(positions.keySet(), e), e.getMessage(), e);
        } catch (WriteException e) {
            if (e.remedy() == WriteException.Remedy.LEAVE_OUT) {
                throw SinkException.refused(new KafkaRefusedRows(e.refusals(), text).of(results), where(), e);
            }
            asking = e.remedy() == WriteException.Remedy.ASK_AGAIN;
            throw failure(asking || e.remedy() == WriteException.Remedy.TRY_AGAIN, e);
        } catch (KafkaException e) {
            throw failure(true, e);
        } finally {
            if (!asking) {
                results.clear();
            }
        }
    }

    private void send(Consumer<ProducerRecord<byte[], byte[]>> to) {
        for (WindowResult result : results) {
            result.forEach(row -> to.accept(new ProducerRecord<>(
                    options.topic(), text.partition(), text.key(row), text.value(result.window(), row))));
        }
    }

    private static Set<RecordSource.Ownership> lost(Set<KafkaShare> offsets, FencedException e) {
        Set<Share.Ownership> fenced = Set.copyOf(e.fenced());
        Set<RecordSource.Ownership> lost = new HashSet<>();
        for (KafkaShare share : offsets) {
            if (fenced.isEmpty() || fenced.contains(share.ownership())) {
                lost.add(share);
            }
        }
        return lost;
    }

    private SinkException failure(boolean passing, RuntimeException cause) {
        return SinkException.of(passing, "cannot write to " + where(), cause);
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
