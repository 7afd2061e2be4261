package io.updraft.pipeline.kafka;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.LogContinuityCheck;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.reader.ReaderEvent;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.ClusterTopics;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics of Kafka. Partitions of the same index, over all topics and clusters, are a share,
 * which a coordinator assigns to this process and revokes.
 */
public final class KafkaSource implements RecordSource {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);

    /** The most chunks of one call: enough to be fast, few enough for quick back-pressure. */
    private static final int MAX_CHUNKS = 16;

    private static final String READ = "this process";
    private static final String NOT_READ = "no process, since it cannot be read";

    private static final byte[] NOTHING = {};
    private static final int[] NOWHERE = {};
    private static final long[] NO_POSITIONS = {};

    private final SourceSpec.Kafka spec;
    private final ShareCoordinator coordinator;
    private final KafkaReadOptions how;
    private final LongSupplier clock;
    private final List<ClusterTopics> clusters;
    private final KafkaEndOffsets asked;
    private final Map<String, KafkaReader> readers = new LinkedHashMap<>();
    private final KafkaGroupProgress progress;

    /** The end offsets of the partitions at the start of the run; null until they are known. */
    private Map<ClusterPartition, Long> ends;

    private final ShareEventQueue shareEvents;
    private final Map<Share.Ownership, KafkaShare> shares = new HashMap<>();
    private final Map<String, KafkaPartition> partitions = new LinkedHashMap<>();
    private final Map<KafkaReader, Map<TopicPartition, KafkaPartition>> read = new HashMap<>();
    private final KafkaCommits commits;
    private long records;

    /**
     * Starts to query the clusters. Joins the group when all have answered.
     *
     * @param coordinator the coordinator that assigns the partitions; closed with the source
     */
    public KafkaSource(SourceSpec.Kafka spec, ShareCoordinator coordinator, KafkaReadOptions how, LongSupplier clock) {
        this.spec = spec;
        this.coordinator = coordinator;
        this.commits = new KafkaCommits(coordinator);
        this.how = how;
        this.progress = new KafkaGroupProgress(coordinator);
        this.clock = clock;
        this.clusters = KafkaCoordinators.of(spec);
        Map<String, ReaderConfig> configs = new HashMap<>();
        clusters.forEach(cluster -> configs.put(cluster.name(), KafkaCoordinators.readerConfig(cluster)));
        this.shareEvents = new ShareEventQueue(new KafkaLogCheck(configs, this::name)::look);
        this.asked = new KafkaEndOffsets(clusters, how.giveUp());
    }

    private boolean isJoined() throws SourceException {
        if (ends == null) {
            Map<ClusterPartition, Long> found = asked.poll();
            if (found == null) {
                return false;
            }
            ends = found;
            clusters.forEach(cluster -> readers.put(cluster.name(), new KafkaReader(readerConfig(cluster))));
            coordinator.join(shareEvents);
        }
        return true;
    }

    private ReaderConfig readerConfig(ClusterTopics cluster) {
        ReaderConfig config = KafkaCoordinators.readerConfig(cluster).withHeaders(how.headers());
        return how.keys() ? config.withKeys() : config;
    }

    @Override
    public List<SourceEvent> poll() throws SourceException {
        if (!isJoined()) {
            return List.of();
        }
        List<SourceEvent> events = new ArrayList<>();
        handle(shareEvents.take(), events);
        for (KafkaReader reader : readers.values()) {
            read(reader, events);
            if (isOver(reader.outage().length())) {
                throw givenUp(reader.outage().toString());
            }
        }
        long now = clock.getAsLong();
        for (KafkaPartition partition : partitions.values()) {
            checkProgress(partition, now, events);
        }
        commits.send();
        return events;
    }

    private void handle(List<ShareEventQueue.ShareEvent> all, List<SourceEvent> events) throws SourceException {
        boolean divided = false;
        for (ShareEventQueue.ShareEvent next : all) {
            if (next instanceof ShareEventQueue.ShareEvent.Revoked revoked) {
                revoke(revoked, events);
                divided = !how.keyed() && !shares.isEmpty();
                continue;
            }
            checkUndivided(divided);
            if (next instanceof ShareEventQueue.ShareEvent.Assigned assigned) {
                open(assigned.share(), assigned.logs(), events);
            } else {
                Throwable cause = ((ShareEventQueue.ShareEvent.Failed) next).cause();
                boolean named = cause.getMessage() != null && !(cause instanceof Error);
                throw new SourceException(named ? cause.getMessage() : cause.toString(), cause);
            }
        }
        checkUndivided(divided);
    }

    /** Fails if only some partitions were revoked: rows that are aggregated together cannot be forgotten in part. */
    private void checkUndivided(boolean divided) throws SourceException {
        if (divided) {
            throw new SourceException("group " + spec.group() + " has revoked some partitions of " + spec.topics()
                    + " from this process, which aggregates them together with the others: start it again, and it"
                    + " continues after the last commit; with 'keyed: true' processes can share partitions");
        }
    }

    private boolean isOver(Duration outage) {
        return how.giveUp() != null && outage.compareTo(how.giveUp()) >= 0;
    }

    private static SourceException givenUp(String unavailable) {
        return new SourceException(unavailable + "; the limit 'give_up' is reached");
    }

    private void open(
            Share.Assigned assigned, Map<ClusterPartition, LogContinuityCheck.Answer> logs, List<SourceEvent> events) {
        Map<String, ClusterPartition> names = new LinkedHashMap<>();
        assigned.partitions().forEach(partition -> names.put(name(partition), partition));
        // Files and keys of results have this name, so it stays as older versions wrote it.
        String shareName = "unit-" + assigned.ownership().share().index();
        KafkaShare share = new KafkaShare(assigned.ownership(), names);
        shares.put(assigned.ownership(), share);
        names.forEach((name, id) -> {
            Long position = assigned.progress().positions().get(id);
            PartitionPosition kept =
                    KafkaShare.read(assigned.progress(), id, name, position == null ? start(id) : position);
            boolean cut = position != null && logs.get(id).isCut();
            PartitionPosition last = cut ? KafkaLogCheck.validPart(kept, logs.get(id)) : kept;
            share.setLog(name, logs.get(id).mark());
            long from = last.position();
            KafkaPartition partition = new KafkaPartition(
                    name,
                    readers.get(id.cluster()),
                    new TopicPartition(id.topic(), id.partition()),
                    share,
                    logs.get(id).mark(),
                    from,
                    end(id),
                    clock.getAsLong());
            partitions.put(name, partition);
            read.computeIfAbsent(partition.reader, each -> new HashMap<>()).put(partition.id, partition);
            events.add(new Event.Opened(
                    name, shareName, from, last.closedUntil(), last.processed(), share, assigned.reason()));
            if (cut) {
                Event.Relocated resumed = KafkaLogCheck.resumed(name, kept, last, logs.get(id));
                LOG.warn("{}", resumed.reason());
                events.add(resumed);
            }
        });
        commits.warnOfForeign(assigned.progress(), spec.group());
        LOG.info("reading {} from {}: {}", assigned.ownership(), assigned.progress(), assigned.reason());
    }

    /** A partition that was added during the run is read from its beginning: all its records are newer than the run. */
    private long start(ClusterPartition id) {
        if (!ends.containsKey(id)) {
            return KafkaReader.EARLIEST;
        }
        return spec.start() == SourceSpec.Kafka.Start.LATEST ? KafkaReader.LATEST : KafkaReader.EARLIEST;
    }

    /** A partition that was added during the run lies beyond the end of the run. */
    private long end(ClusterPartition id) {
        return spec.toEnd() ? ends.getOrDefault(id, KafkaReader.EARLIEST) : KafkaPartition.ENDLESS;
    }

    private String name(ClusterPartition partition) {
        String name = partition.topic() + "-" + partition.partition();
        return clusters.size() == 1 ? name : partition.cluster() + "/" + name;
    }

    private void revoke(ShareEventQueue.ShareEvent.Revoked revoked, List<SourceEvent> events) {
        KafkaShare share = shares.remove(revoked.ownership());
        if (share == null) {
            revoked.done().complete(null);
            return;
        }
        share.end.thenRun(() -> revoked.done().complete(null));
        commits.remove(share);
        boolean revokedAny = false;
        for (KafkaPartition partition : List.copyOf(partitions.values())) {
            if (partition.share == share) {
                revokedAny = true;
                partition.revoke();
                partitions.remove(partition.name);
                read.get(partition.reader).remove(partition.id);
                events.add(new Event.Revoked(partition.name, revoked.reason()));
            }
        }
        if (!revokedAny) {
            share.released();
        }
        LOG.info("letting go of {}: {}", revoked.ownership(), revoked.reason());
    }

    private void read(KafkaReader reader, List<SourceEvent> events) throws SourceException {
        Map<TopicPartition, KafkaPartition> assigned = read.getOrDefault(reader, Map.of());
        for (int i = 0; i < MAX_CHUNKS; i++) {
            ReaderEvent event = reader.poll();
            if (event == null) {
                return;
            }
            KafkaPartition partition = assigned.get(event.topicPartition());
            if (partition == null) {
                continue;
            }
            if (event instanceof KafkaChunk chunk) {
                take(partition, chunk, events);
            } else if (event instanceof ReaderEvent.Reset reset) {
                reset(partition, reset, events);
            } else {
                fail(partition, (ReaderEvent.Failed) event, events);
            }
        }
    }

    /** Fails if open windows contain removed records: offsets will be reused, and only a new run can tell them apart. */
    private static void reset(KafkaPartition partition, ReaderEvent.Reset reset, List<SourceEvent> events)
            throws SourceException {
        if (reset.cut()) {
            throw new SourceException(reset.message().replaceFirst("; resuming.*", "")
                    + ": start the pipeline again to continue with the records that are there now");
        }
        LOG.warn("{}", reset.message());
        events.add(new Event.Relocated(
                partition.name, KafkaLogCheck.place(reset.from()), KafkaLogCheck.place(reset.to()), reset.message()));
    }

    /** A refused read would be refused again. Other failures hold windows open until the partition can be read again. */
    private void fail(KafkaPartition partition, ReaderEvent.Failed failed, List<SourceEvent> events)
            throws SourceException {
        if (failed.refused()) {
            throw new SourceException(failed.message());
        }
        if (!partition.isFailing()) {
            events.add(new Event.Relocated(partition.name, READ, NOT_READ, failed.message()));
        }
        partition.failed(failed.message(), clock.getAsLong());
    }

    private void take(KafkaPartition partition, KafkaChunk chunk, List<SourceEvent> events) {
        if (partition.hasEnded()) {
            return;
        }
        records += chunk.count();
        if (partition.take(chunk, clock.getAsLong())) {
            found(partition, events);
        }
        events.add(chunk);
    }

    /** Checks whether a partition has reached its end, or has been idle for long enough. */
    private void checkProgress(KafkaPartition partition, long now, List<SourceEvent> events) throws SourceException {
        if (partition.hasEnded()) {
            return;
        }
        if (partition.isFailing()) {
            Duration outage = partition.outage(now);
            if (isOver(outage)) {
                throw givenUp(partition.failure() + ", for " + outage.toSeconds() + " s now");
            }
            if (partition.tryAgain(now)) {
                found(partition, events);
            }
        }
        pass(partition, events);
        if (partition.ends()) {
            events.add(new Event.Ended(partition.name));
        } else if (!how.idle().isZero() && partition.isQuiet(now, how.idle().toMillis())) {
            events.add(new Event.Idle(partition.name));
        } else {
            partition.warnOfOpenTransaction(now);
        }
    }

    private static void found(KafkaPartition partition, List<SourceEvent> events) {
        events.add(new Event.Relocated(partition.name, NOT_READ, READ, "it can be read again"));
    }

    /** A chunk without records reports that its offsets were read. */
    private static void pass(KafkaPartition partition, List<SourceEvent> events) {
        long from = partition.next();
        long to = partition.pass();
        if (to >= 0) {
            events.add(new Chunk(
                    partition.name, from < 0 ? to : from, to, NOTHING, 0, NOWHERE, NO_POSITIONS, NO_POSITIONS));
        }
    }

    @Override
    public void commit(PartitionPosition commit) {
        KafkaPartition partition = partitions.get(commit.partition());
        if (partition != null) {
            commits.put(partition.share, commit);
        }
    }

    /** The source ends when the whole group has reached all ends: partitions of a failing process may still come here. */
    @Override
    public boolean ended() {
        if (!spec.toEnd() || ends == null || !partitions.values().stream().allMatch(KafkaPartition::hasEnded)) {
            return false;
        }
        Map<ClusterPartition, Long> otherEnds = new HashMap<>(ends);
        otherEnds.keySet().removeIf(id -> partitions.containsKey(name(id)));
        // Without committed positions the progress of other processes is unknown.
        return otherEnds.isEmpty()
                || (how.tracked() ? progress.isBehind(otherEnds, clock.getAsLong()) : !partitions.isEmpty());
    }

    @Override
    public SourceProgress progress() {
        if (ends == null) {
            return new SourceProgress(0, -1, -1, "records");
        }
        long lag = 0;
        for (KafkaPartition partition : partitions.values()) {
            long behind = partition.lag();
            lag = behind < 0 || lag < 0 ? -1 : lag + behind;
        }
        long total = spec.toEnd() && lag >= 0 ? records + lag : -1;
        return new SourceProgress(records, total, lag, "records", trouble());
    }

    @Override
    public Map<String, Long> lags() {
        Map<String, Long> lags = new HashMap<>();
        partitions.forEach((name, partition) -> lags.put(name, partition.lag()));
        return lags;
    }

    private String trouble() {
        Stream<String> away = readers.values().stream()
                .filter(reader -> !reader.outage().length().isZero())
                .map(reader -> reader.outage().toString());
        Stream<String> failing =
                partitions.values().stream().filter(KafkaPartition::isFailing).map(KafkaPartition::failure);
        return Stream.concat(away, failing).findFirst().orElse(null);
    }

    @Override
    public void close() {
        asked.close();
        commits.sendLast();
        // The coordinator would wait for an answer that this thread, which waits for the coordinator, could not give.
        shareEvents.close(shares.values().stream().allMatch(KafkaShare::isReleased));
        coordinator.close();
        commits.warnIfRefused(spec.topics());
        readers.values().forEach(KafkaReader::close);
    }
}
