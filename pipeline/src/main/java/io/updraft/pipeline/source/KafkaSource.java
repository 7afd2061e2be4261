package io.updraft.pipeline.source;

import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.reader.ReaderEvent;
import io.updraft.kafka.reader.RecordBatch;
import io.updraft.kafka.units.AssignedUnit;
import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.UnitCommit;
import io.updraft.kafka.units.UnitPartition;
import io.updraft.kafka.units.UnitsCluster;
import io.updraft.timeseries.record.Chunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics of Kafka. Its units are partitions; those of one index, of all topics and clusters, are a group, which a coordinator gives to
 * this process and takes away.
 */
final class KafkaSource implements Source {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);

    /** Most batches handed over by one call: enough to be quick, few enough to be held back soon. */
    private static final int MOST_BATCHES = 16;

    /** How much of one partition may wait to be handed over. */
    private static final int QUEUE_BYTES = 2 << 20;

    /** A partition that is read. */
    private static final class Partition {
        private final String unit;
        private final KafkaReader reader;
        private final TopicPartition id;
        private final KafkaClaim claim;
        private long next;
        private long end = Long.MAX_VALUE;
        private long quietSince;
        private boolean ended;

        private Partition(String unit, KafkaReader reader, TopicPartition id, KafkaClaim claim, long next) {
            this.unit = unit;
            this.reader = reader;
            this.id = id;
            this.claim = claim;
            this.next = next;
        }
    }

    private final SourceSpec.Kafka spec;
    private final Coordinator coordinator;
    private final long idleMs;
    private final LongSupplier clock;
    private final List<UnitsCluster> clusters;
    private final KafkaEnds asked;
    private final Map<String, KafkaReader> readers = new LinkedHashMap<>();
    private Map<UnitPartition, Long> ends;
    private final UnitEvents told = new UnitEvents();
    private final Map<Ownership, KafkaClaim> claims = new HashMap<>();
    private final Map<String, Partition> partitions = new LinkedHashMap<>();
    private final Map<KafkaReader, Map<TopicPartition, Partition>> read = new HashMap<>();
    private final Map<KafkaClaim, Map<String, Commit>> toCommit = new LinkedHashMap<>();
    private CompletableFuture<Void> committing = CompletableFuture.completedFuture(null);
    private boolean everAssigned;
    private long records;

    /** Begins to ask the clusters; joins the other processes of the group when all have answered. */
    KafkaSource(SourceSpec.Kafka spec, Coordinator coordinator, Duration idle, LongSupplier clock) {
        this.spec = spec;
        this.coordinator = coordinator;
        this.idleMs = idle.toMillis();
        this.clock = clock;
        this.clusters = KafkaClusters.of(spec);
        this.asked = new KafkaEnds(clusters, spec.giveUp());
    }

    private boolean isJoined() throws SourceException {
        if (ends == null) {
            Map<UnitPartition, Long> found = asked.poll();
            if (found == null) {
                return false;
            }
            ends = spec.toEnd() ? found : Map.of();
            clusters.forEach(cluster -> readers.put(cluster.name(), new KafkaReader(config(spec, cluster))));
            coordinator.join(told);
        }
        return true;
    }

    private static ReaderConfig config(SourceSpec.Kafka spec, UnitsCluster cluster) {
        boolean latest = spec.start() == SourceSpec.Kafka.Start.LATEST;
        return new ReaderConfig(
                        cluster.properties(),
                        latest ? ReaderConfig.OutOfRange.LATEST : ReaderConfig.OutOfRange.EARLIEST,
                        QUEUE_BYTES,
                        false)
                .with("isolation.level", "read_committed");
    }

    @Override
    public List<Event> poll() throws SourceException {
        if (!isJoined()) {
            return List.of();
        }
        List<Event> events = new ArrayList<>();
        for (UnitEvents.Told next = told.poll(); next != null; next = told.poll()) {
            if (next instanceof UnitEvents.Told.Assigned assigned) {
                open(assigned.unit(), events);
            } else if (next instanceof UnitEvents.Told.Revoked revoked) {
                revoke(revoked, events);
            } else {
                Throwable cause = ((UnitEvents.Told.Failed) next).cause();
                throw new SourceException(cause.getMessage(), cause);
            }
        }
        for (KafkaReader reader : readers.values()) {
            read(reader, events);
            giveUp(reader);
        }
        long now = clock.getAsLong();
        for (Partition partition : partitions.values()) {
            notice(partition, now, events);
        }
        sendCommits();
        return events;
    }

    private void giveUp(KafkaReader reader) throws SourceException {
        if (spec.giveUp() != null && reader.outage().compareTo(spec.giveUp()) >= 0) {
            throw new SourceException("a cluster of " + spec + " has not answered for "
                    + reader.outage().toSeconds() + " s, and 'give_up' is over");
        }
    }

    private void open(AssignedUnit unit, List<Event> events) {
        everAssigned = true;
        Map<String, UnitPartition> names = new LinkedHashMap<>();
        unit.partitions().forEach(partition -> names.put(name(partition), partition));
        KafkaClaim claim = new KafkaClaim(coordinator, unit.ownership(), names);
        claims.put(unit.ownership(), claim);
        names.forEach((name, id) -> {
            long from = unit.progress().positions().getOrDefault(id, start());
            KafkaReader reader = readers.get(id.cluster());
            Partition partition =
                    new Partition(name, reader, new TopicPartition(id.topic(), id.partition()), claim, from);
            partition.end = ends.getOrDefault(id, Long.MAX_VALUE);
            partition.quietSince = clock.getAsLong();
            partitions.put(name, partition);
            read.computeIfAbsent(reader, each -> new HashMap<>()).put(partition.id, partition);
            reader.assign(partition.id, from);
            Commit last = KafkaClaim.read(unit.progress(), name, from);
            events.add(new Event.Opened(name, group(unit), from, last.closedUntil(), last.seen(), claim));
        });
        LOG.info("reading {} from {}", unit.ownership(), unit.progress());
    }

    private static String group(AssignedUnit unit) {
        return "unit-" + unit.unit().index();
    }

    private long start() {
        return spec.start() == SourceSpec.Kafka.Start.LATEST ? KafkaReader.LATEST : KafkaReader.EARLIEST;
    }

    private String name(UnitPartition partition) {
        String name = partition.topic() + "-" + partition.partition();
        return readers.size() == 1 ? name : partition.cluster() + "/" + name;
    }

    private void revoke(UnitEvents.Told.Revoked revoked, List<Event> events) {
        KafkaClaim claim = claims.remove(revoked.ownership());
        if (claim == null) {
            revoked.done().complete(null);
            return;
        }
        claim.end().thenRun(() -> revoked.done().complete(null));
        toCommit.remove(claim);
        boolean any = false;
        for (Partition partition : List.copyOf(partitions.values())) {
            if (partition.claim == claim) {
                any = true;
                partition.reader.revoke(partition.id);
                partitions.remove(partition.unit);
                read.get(partition.reader).remove(partition.id);
                events.add(new Event.Revoked(partition.unit));
            }
        }
        if (!any) {
            claim.released();
        }
        LOG.info("letting go of {}", revoked.ownership());
    }

    private void read(KafkaReader reader, List<Event> events) throws SourceException {
        Map<TopicPartition, Partition> its = read.getOrDefault(reader, Map.of());
        for (int i = 0; i < MOST_BATCHES; i++) {
            ReaderEvent event = reader.poll();
            if (event == null) {
                return;
            }
            Partition partition = its.get(event.partition());
            if (partition == null) {
                continue;
            }
            if (event instanceof RecordBatch batch) {
                take(partition, batch, events);
            } else if (event instanceof ReaderEvent.Reset reset) {
                LOG.warn("{}", reset.message());
            } else {
                fail(partition, (ReaderEvent.Failed) event, events);
            }
        }
    }

    /** What is refused would be refused for ever; of what else has failed, the other partitions know nothing. */
    private static void fail(Partition partition, ReaderEvent.Failed failed, List<Event> events)
            throws SourceException {
        if (failed.refused()) {
            throw new SourceException(failed.message());
        }
        LOG.error("{}", failed.message());
        events.add(new Event.Idle(partition.unit));
    }

    private void take(Partition partition, RecordBatch batch, List<Event> events) {
        if (partition.ended) {
            return;
        }
        records += batch.count();
        partition.next = batch.to();
        partition.quietSince = clock.getAsLong();
        events.add(new Event.Records(new Chunk(
                partition.unit,
                batch.from(),
                batch.to(),
                batch.bytes(),
                batch.bytes().length,
                batch.ends(),
                batch.offsets(),
                batch.timestamps())));
    }

    /** Whether a partition has come to its end, or has been quiet for long enough. */
    private void notice(Partition partition, long now, List<Event> events) {
        if (partition.ended) {
            return;
        }
        if (partition.end != Long.MAX_VALUE && (partition.next >= partition.end || isBehindMarkers(partition))) {
            partition.ended = true;
            events.add(new Event.Ended(partition.unit));
        } else if (idleMs > 0 && now - partition.quietSince >= idleMs && partition.reader.lag(partition.id) == 0) {
            partition.quietSince = now;
            events.add(new Event.Idle(partition.unit));
        }
    }

    /** The last offsets of a log may be no records (the ends of transactions): then no batch ever reaches the end. */
    private static boolean isBehindMarkers(Partition partition) {
        return partition.end == 0 || partition.reader.lag(partition.id) == 0;
    }

    @Override
    public void commit(Commit commit) {
        Partition partition = partitions.get(commit.unit());
        if (partition != null) {
            toCommit.computeIfAbsent(partition.claim, claim -> new HashMap<>()).put(commit.unit(), commit);
        }
    }

    private void sendCommits() {
        if (toCommit.isEmpty() || !committing.isDone()) {
            return;
        }
        List<UnitCommit> commits = new ArrayList<>();
        toCommit.forEach((claim, its) -> claim.commit(its.values()).ifPresent(commits::add));
        toCommit.clear();
        if (commits.isEmpty()) {
            return;
        }
        committing = coordinator.commit(commits).exceptionally(failure -> {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            // A later commit says all that this one did; what is no longer ours is committed by who has it.
            if (cause instanceof FencedException) {
                LOG.info("{}", cause.getMessage());
            } else {
                LOG.warn("positions were not committed, and will be with the next: {}", cause.toString());
            }
            return null;
        });
    }

    @Override
    public boolean ended() {
        return spec.toEnd() && everAssigned && partitions.values().stream().allMatch(partition -> partition.ended);
    }

    @Override
    public Progress progress() {
        if (ends == null) {
            return new Progress(0, -1, -1, "records");
        }
        long lag = 0;
        for (Partition partition : partitions.values()) {
            long behind = partition.reader.lag(partition.id);
            lag = behind < 0 || lag < 0 ? -1 : lag + behind;
        }
        long total = spec.toEnd() && lag >= 0 ? records + lag : -1;
        return new Progress(records, total, lag, "records");
    }

    @Override
    public void close() {
        asked.close();
        sendCommits();
        // The coordinator waits for an answer that this thread, which waits for it, could not give.
        told.close(claims.values().stream().allMatch(KafkaClaim::isReleased));
        coordinator.close();
        readers.values().forEach(KafkaReader::close);
    }
}
