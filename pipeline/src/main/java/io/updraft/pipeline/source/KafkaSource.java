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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    private static final byte[] NOTHING = {};
    private static final int[] NOWHERE = {};
    private static final long[] NO_POSITIONS = {};

    /** How long the answer to the last commit is waited for when the run ends. */
    private static final Duration LAST_COMMIT = Duration.ofSeconds(5);

    private final SourceSpec.Kafka spec;
    private final Coordinator coordinator;
    private final KafkaReading how;
    private final LongSupplier clock;
    private final List<UnitsCluster> clusters;
    private final KafkaEnds asked;
    private final Map<String, KafkaReader> readers = new LinkedHashMap<>();
    private final KafkaGroupProgress group;

    /** Where the partitions that there were at the start ended then; null if that is not known yet. */
    private Map<UnitPartition, Long> ends;

    private final UnitEvents told = new UnitEvents();
    private final Map<Ownership, KafkaClaim> claims = new HashMap<>();
    private final Map<String, KafkaPartition> partitions = new LinkedHashMap<>();
    private final Map<KafkaReader, Map<TopicPartition, KafkaPartition>> read = new HashMap<>();
    private final Map<KafkaClaim, Map<String, Commit>> toCommit = new LinkedHashMap<>();
    private CompletableFuture<Void> committing = CompletableFuture.completedFuture(null);
    /** Why the last commit was refused; null if it was not. Written by whichever thread has the answer. */
    private volatile Throwable refused;

    private long records;

    /** Begins to ask the clusters; joins the other processes of the group when all have answered. */
    KafkaSource(SourceSpec.Kafka spec, Coordinator coordinator, KafkaReading how, LongSupplier clock) {
        this.spec = spec;
        this.coordinator = coordinator;
        this.how = how;
        this.group = new KafkaGroupProgress(coordinator);
        this.clock = clock;
        this.clusters = KafkaClusters.of(spec);
        this.asked = new KafkaEnds(clusters, how.giveUp());
    }

    private boolean isJoined() throws SourceException {
        if (ends == null) {
            Map<UnitPartition, Long> found = asked.poll();
            if (found == null) {
                return false;
            }
            ends = found;
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
        boolean anyRevoked = false;
        hear(told.take(), events);
        for (KafkaReader reader : readers.values()) {
            read(reader, events);
            if (isOver(reader.outage().length())) {
                throw givenUp(reader.outage().toString());
            }
        }
        long now = clock.getAsLong();
        for (KafkaPartition partition : partitions.values()) {
            notice(partition, now, events);
        }
        sendCommits();
        return events;
    }

    private void hear(List<UnitEvents.Told> all, List<Event> events) throws SourceException {
        boolean apart = false;
        for (UnitEvents.Told next : all) {
            if (next instanceof UnitEvents.Told.Revoked revoked) {
                revoke(revoked, events);
                apart = !how.keyed() && !claims.isEmpty();
                continue;
            }
            staysTogether(apart);
            if (next instanceof UnitEvents.Told.Assigned assigned) {
                open(assigned.unit(), events);
            } else {
                Throwable cause = ((UnitEvents.Told.Failed) next).cause();
                boolean named = cause.getMessage() != null && !(cause instanceof Error);
                throw new SourceException(named ? cause.getMessage() : cause.toString(), cause);
            }
        }
        staysTogether(apart);
    }

    /** What is aggregated together comes and goes together: a part of it cannot be forgotten. */
    private void staysTogether(boolean apart) throws SourceException {
        if (apart) {
            throw new SourceException("group " + spec.group() + " has taken some partitions of " + spec.topics()
                    + " away from this process, which aggregates them together with the others: start it again, and it goes"
                    + " on after what is committed; partitions can be shared by processes with 'keyed: true'");
        }
    }

    private boolean isOver(Duration outage) {
        return how.giveUp() != null && outage.compareTo(how.giveUp()) >= 0;
    }

    private static SourceException givenUp(String what) {
        return new SourceException(what + ", and 'give_up' is over");
    }

    private void open(AssignedUnit unit, List<Event> events) {
        Map<String, UnitPartition> names = new LinkedHashMap<>();
        unit.partitions().forEach(partition -> names.put(name(partition), partition));
        KafkaClaim claim = new KafkaClaim(coordinator, unit.ownership(), names);
        claims.put(unit.ownership(), claim);
        names.forEach((name, id) -> {
            long from = unit.progress().positions().getOrDefault(id, start(id));
            KafkaPartition partition = new KafkaPartition(
                    name,
                    readers.get(id.cluster()),
                    new TopicPartition(id.topic(), id.partition()),
                    claim,
                    from,
                    end(id),
                    clock.getAsLong());
            partitions.put(name, partition);
            read.computeIfAbsent(partition.reader, each -> new HashMap<>()).put(partition.id, partition);
            Commit last = KafkaClaim.read(unit.progress(), name, from);
            events.add(new Event.Opened(name, group(unit), from, last.closedUntil(), last.seen(), claim));
        });
        LOG.info("reading {} from {}", unit.ownership(), unit.progress());
    }

    private static String group(AssignedUnit unit) {
        return "unit-" + unit.unit().index();
    }

    /** A partition that was added since has not a record that is older than this run. */
    private long start(UnitPartition id) {
        if (!ends.containsKey(id)) {
            return KafkaReader.EARLIEST;
        }
        return spec.start() == SourceSpec.Kafka.Start.LATEST ? KafkaReader.LATEST : KafkaReader.EARLIEST;
    }

    /** What was added since the start is behind the end of all. */
    private long end(UnitPartition id) {
        return spec.toEnd() ? ends.getOrDefault(id, KafkaReader.EARLIEST) : KafkaPartition.ENDLESS;
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
        for (KafkaPartition partition : List.copyOf(partitions.values())) {
            if (partition.claim == claim) {
                any = true;
                partition.revoke();
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
        Map<TopicPartition, KafkaPartition> its = read.getOrDefault(reader, Map.of());
        for (int i = 0; i < MOST_BATCHES; i++) {
            ReaderEvent event = reader.poll();
            if (event == null) {
                return;
            }
            KafkaPartition partition = its.get(event.partition());
            if (partition == null) {
                continue;
            }
            if (event instanceof RecordBatch batch) {
                take(partition, batch, events);
            } else if (event instanceof ReaderEvent.Reset reset) {
                LOG.warn("{}", reset.message());
            } else {
                fail(partition, (ReaderEvent.Failed) event);
            }
        }
    }

    /** What is refused would be refused for ever; what else has failed holds its windows open until it can be read again. */
    private void fail(KafkaPartition partition, ReaderEvent.Failed failed) throws SourceException {
        if (failed.refused()) {
            throw new SourceException(failed.message());
        }
        partition.failed(failed.message(), clock.getAsLong());
    }

    private void take(KafkaPartition partition, RecordBatch batch, List<Event> events) {
        if (partition.hasEnded()) {
            return;
        }
        records += batch.count();
        partition.take(batch, clock.getAsLong());
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
    private void notice(KafkaPartition partition, long now, List<Event> events) throws SourceException {
        if (partition.hasEnded()) {
            return;
        }
        if (partition.isFailing()) {
            Duration outage = partition.outage(now);
            if (isOver(outage)) {
                throw givenUp(partition.failure() + ", for " + outage.toSeconds() + " s now");
            }
            partition.tryAgain(now);
        }
        pass(partition, events);
        if (partition.ends()) {
            events.add(new Event.Ended(partition.unit));
        } else if (!how.idle().isZero() && partition.isQuiet(now, how.idle().toMillis())) {
            events.add(new Event.Idle(partition.unit));
        } else {
            partition.tellWhatIsOpen(now);
        }
    }

    /** A chunk of no records says that what it spans was read. */
    private static void pass(KafkaPartition partition, List<Event> events) {
        long from = partition.next();
        long to = partition.pass();
        if (to >= 0) {
            events.add(new Event.Records(new Chunk(
                    partition.unit, from < 0 ? to : from, to, NOTHING, 0, NOWHERE, NO_POSITIONS, NO_POSITIONS)));
        }
    }

    @Override
    public void commit(Commit commit) {
        KafkaPartition partition = partitions.get(commit.unit());
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
        committing = coordinator.commit(commits).handle((done, failure) -> {
            refused = failure == null || failure.getCause() == null ? failure : failure.getCause();
            // A later commit says all that this one did; what is no longer ours is committed by who has it.
            if (refused instanceof FencedException) {
                LOG.info("{}", refused.getMessage());
            } else if (refused != null) {
                LOG.warn("positions were not committed: {}", refused.toString());
            }
            return null;
        });
    }

    /** Over when the group has come to every end: what another process has now may come to this one, should that fail. */
    @Override
    public boolean ended() {
        if (!spec.toEnd() || ends == null || !partitions.values().stream().allMatch(KafkaPartition::hasEnded)) {
            return false;
        }
        Map<UnitPartition, Long> others = new HashMap<>(ends);
        others.keySet().removeIf(id -> partitions.containsKey(name(id)));
        // Without positions nobody can tell how far others are.
        return others.isEmpty() || (how.tracked() ? group.isBehind(others, clock.getAsLong()) : !partitions.isEmpty());
    }

    @Override
    public Progress progress() {
        if (ends == null) {
            return new Progress(0, -1, -1, "records");
        }
        long lag = 0;
        for (KafkaPartition partition : partitions.values()) {
            long behind = partition.lag();
            lag = behind < 0 || lag < 0 ? -1 : lag + behind;
        }
        long total = spec.toEnd() && lag >= 0 ? records + lag : -1;
        return new Progress(records, total, lag, "records");
    }

    @Override
    public void close() {
        asked.close();
        // One after the other: the last one says all, and comes last.
        awaitCommitted();
        sendCommits();
        // The coordinator waits for an answer that this thread, which waits for it, could not give.
        told.close(claims.values().stream().allMatch(KafkaClaim::isReleased));
        coordinator.close();
        if (refused != null) {
            LOG.warn(
                    "the last positions of {} were not committed: the next run reads again what is behind them, and writes it"
                            + " again: {}",
                    spec.topics(),
                    refused.getMessage());
        }
        readers.values().forEach(KafkaReader::close);
    }

    private void awaitCommitted() {
        try {
            committing.get(LAST_COMMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("positions were not committed within {} s", LAST_COMMIT.toSeconds());
        }
    }
}
