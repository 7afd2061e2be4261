package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderEvent;
import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Kafka topics at least once. Each partition is read independently, in offset order. A failed record is replayed after a
 * delay while other records continue. Partitions are divided among the spout's tasks by partition number. The spout commits,
 * under a consumer group, the offset before which all records of a partition are done.
 *
 * <p>Metrics: {@code kafka.lag} (records by which the task's partitions are behind), {@code kafka.overdue} (records reported by
 * an alarm so far), {@code kafka.dead.letters}.
 */
public final class PartitionSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(PartitionSpout.class);

    /** Calls of {@link #nextTuple} between two reads of the clock. */
    private static final int ROUND = 64;

    private static final long ALARM_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LAST_COMMIT = Duration.ofSeconds(5);

    private final PartitionSpoutConfig config;

    private transient SpoutOutputCollector collector;
    private transient KafkaReader reader;
    private transient GroupOffsets offsets;
    private transient DeadLetterTopic deadLetters;
    private transient SpoutAssignment assignment;
    private transient Deque<RecordId> due;
    private transient SpoutPartition.HeldChunk current;
    private transient int next;
    private transient int calls;
    private transient long now;
    private transient long committedAt;
    private transient long alarmedAt;
    private transient String place;
    private transient EngineTraces engine;
    private transient EngineTraces.AlarmTimer reminder;
    private transient volatile long lag;
    private transient com.codahale.metrics.Counter overdueCount;
    private transient com.codahale.metrics.Counter deadLetterCount;

    /** Creates a spout. */
    public PartitionSpout(PartitionSpoutConfig config) {
        this.config = config;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
        collector = out;
        engine = new EngineTraces(context);
        place = engine.spout() + ", which emitted it";
        due = new ArrayDeque<>();
        current = null;
        now = System.nanoTime();
        committedAt = now;
        alarmedAt = now;
        overdueCount = context.registerCounter("kafka.overdue");
        deadLetterCount = context.registerCounter("kafka.dead.letters");
        context.registerGauge("kafka.lag", () -> lag);
        reader = new KafkaReader(config.reader());
        offsets = new GroupOffsets(config.reader(), config.group);
        deadLetters = config.deadLetterTopic == null ? null : new DeadLetterTopic(config);
        assignment = new SpoutAssignment(
                config,
                reader,
                offsets,
                engine.spout(),
                context.getThisTaskIndex(),
                context.getComponentTasks(context.getThisComponentId()).size());
        if (engine.canRun()) {
            reminder = new EngineTraces.AlarmTimer(engine, this::doOverdueWork);
        }
    }

    /** Does the periodic work if {@link #nextTuple} has not been called for a while. An extra round does no harm. */
    private void doOverdueWork() {
        if (System.nanoTime() - alarmedAt >= ALARM_NANOS) {
            doPeriodicWork();
        }
    }

    @Override
    public void nextTuple() {
        if (++calls >= ROUND) {
            doPeriodicWork();
        }
        RecordId replay = due.poll();
        if (replay != null) {
            emitAgain(replay);
        } else if (current != null || take()) {
            RecordId id = new RecordId(current, next, 0);
            if (++next == current.chunk.count()) {
                current = null;
            }
            emit(id);
        } else {
            doPeriodicWork();
        }
    }

    private void emit(RecordId id) {
        emit(id, config.translator.translate(id.held.chunk, id.record));
    }

    private void emitAgain(RecordId id) {
        List<Object> values = config.translator.translate(id.held.chunk, id.record);
        if (values != null && id.held.partition.search != null) {
            id.held.partition.search.emitting(id, values);
        }
        emit(id, values);
    }

    private void emit(RecordId id, List<Object> values) {
        if (values == null) {
            id.held.partition.done(id);
        } else if (isDead(id)) {
            collector.emit(config.deadLetterStream, values, id);
        } else {
            collector.emit(values, id);
        }
    }

    private boolean take() {
        ReaderEvent event = reader.poll();
        if (event instanceof KafkaChunk chunk) {
            now = System.nanoTime();
            SpoutPartition partition = assignment.partition(chunk.topicPartition(), chunk.positions()[0]);
            current = partition.hold(chunk, now);
            partition.tracker.seen(chunk.from(), chunk.to(), place);
            next = 0;
            if (!partition.isBelowLimits()) {
                partition.paused = true;
                reader.pause(partition.id);
            }
            return true;
        }
        if (event != null) {
            handleEvent(event);
        }
        return false;
    }

    private void handleEvent(ReaderEvent event) {
        if (event instanceof ReaderEvent.Reset reset) {
            LOG.warn("{}", reset.message());
        } else if (event instanceof ReaderEvent.Failed failure) {
            LOG.error("{}", failure.message());
            collector.reportError(new IllegalStateException(failure.message()));
            assignment.fail(event.topicPartition(), now);
        }
    }

    @Override
    public void ack(Object messageId) {
        RecordId id = (RecordId) messageId;
        id.held.partition.done(id);
    }

    @Override
    public void fail(Object messageId) {
        RecordId id = (RecordId) messageId;
        if (isDead(id)) {
            due.add(id);
        } else if (id.held.partition.failed(id, System.nanoTime()) == Verdict.DEAD) {
            writeDeadLetter(id);
        }
    }

    private boolean isDead(RecordId id) {
        return id.attempt > config.retries;
    }

    private void writeDeadLetter(RecordId id) {
        deadLetterCount.inc();
        engine.addDeadLetter(id.toString(), config.translator.translate(id.held.chunk, id.record), id.attempt + 1);
        if (deadLetters != null) {
            deadLetters.write(id);
        } else if (config.deadLetterStream != null) {
            due.add(new RecordId(id.held, id.record, id.attempt + 1));
        } else {
            LOG.error(
                    "{} has failed {} times and is dropped: no dead letter topic or stream is configured",
                    id,
                    id.attempt + 1);
            id.held.partition.done(id);
        }
    }

    /** Does the periodic work: settles dead letters, replays records, resumes partitions, commits offsets and raises alarms. */
    private void doPeriodicWork() {
        calls = 0;
        now = System.nanoTime();
        if (deadLetters != null) {
            deadLetters.settle(id -> id.held.partition.done(id));
        }
        assignment.former().forEach(this::replay);
        for (SpoutPartition partition : assignment.partitions()) {
            replay(partition);
            if (partition.paused && partition.isBelowLimits()) {
                partition.paused = false;
                reader.resume(partition.id);
            }
        }
        if (now - committedAt >= TimeUnit.MILLISECONDS.toNanos(config.commitMillis)) {
            committedAt = now;
            commit();
        }
        if (now - alarmedAt >= ALARM_NANOS) {
            alarmedAt = now;
            alarm();
            assignment.readAdded();
            assignment.reassign(now);
        }
    }

    private void replay(SpoutPartition partition) {
        RecordId replay = partition.tracker.waiting() > 0 ? partition.replay(now) : null;
        for (int i = 1; replay != null; i++) {
            due.add(replay);
            replay = i < ROUND ? partition.replay(now) : null;
        }
    }

    private void commit() {
        if (offsets.isCommitting()) {
            return;
        }
        // A failed commit is repeated by the next one, because offsets only grow.
        Optional<String> failure = offsets.outcome(Duration.ZERO);
        failure.ifPresent(reason -> LOG.warn("{}; retrying", reason));
        Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
        for (SpoutPartition partition : assignment.partitions()) {
            long committable = partition.tracker.committable();
            if (committable > 0 && (failure.isPresent() || committable != partition.committed)) {
                commits.put(partition.id, new OffsetAndMetadata(committable));
                partition.committed = committable;
            }
        }
        offsets.commit(commits);
    }

    private void alarm() {
        long behind = 0;
        for (SpoutPartition partition : assignment.partitions()) {
            if (!assignment.isFailed(partition.id)) {
                behind += Math.max(0, reader.lag(partition.id));
            }
            alarm(partition);
        }
        lag = behind;
    }

    private void alarm(SpoutPartition partition) {
        partition.endFoundSearch();
        List<String> holdups = partition.alarm.isNear(partition.tracker, now) ? engine.holdups() : List.of();
        for (OffsetTracker.Overdue overdue : partition.alarm.due(partition.tracker, now)) {
            overdueCount.inc();
            LOG.warn("{}", message(partition, overdue, holdups));
            partition.search(overdue.offset(), engine);
        }
    }

    /**
     * Builds the alarm message. It names a component only if the record was seen there. The bolts and queues that hold up
     * tuples now are appended separately.
     */
    private String message(SpoutPartition partition, OffsetTracker.Overdue overdue, List<String> holdups) {
        long offset = overdue.offset();
        if (isBeingEmitted(partition, offset)) {
            return overdue.seenIn(engine.spout() + ", which has not emitted it yet")
                    .message();
        }
        if (isToBeReplayed(partition, offset)) {
            return overdue.seenIn(engine.spout() + ", which is to emit it again")
                    .message();
        }
        RecordTrace search = partition.search;
        boolean searched = search != null && search.offset == offset;
        String seen = searched ? search.report(now) : null;
        String message = seen == null ? overdue.message() : overdue.seenIn(seen).message();
        if (searched && search.isUnseen()) {
            message += "; no bolt has executed its newest attempt";
        }
        return holdups.isEmpty() ? message : message + "; now " + String.join(", ", holdups);
    }

    /** Returns whether the record is in the chunk that is being emitted and is not emitted yet. */
    private boolean isBeingEmitted(SpoutPartition partition, long offset) {
        return current != null
                && current.partition == partition
                && offset >= current.chunk.positions()[next];
    }

    private boolean isToBeReplayed(SpoutPartition partition, long offset) {
        return partition.tracker.isWaiting(offset)
                || due.stream().anyMatch(id -> id.held.partition == partition && id.offset() == offset);
    }

    /** Commits the offsets of records that are done. */
    @Override
    public void deactivate() {
        commit();
    }

    @Override
    public void close() {
        if (reminder != null) {
            reminder.close();
        }
        if (assignment != null) {
            assignment.partitions().forEach(SpoutPartition::endSearch);
        }
        if (offsets != null) {
            offsets.outcome(LAST_COMMIT);
            commit();
            offsets.outcome(LAST_COMMIT).ifPresent(reason -> LOG.warn("{}", reason));
            offsets.close();
        }
        if (reader != null) {
            reader.close();
        }
        if (deadLetters != null) {
            deadLetters.close();
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(config.translator.fields());
        if (config.deadLetterStream != null) {
            declarer.declareStream(config.deadLetterStream, config.translator.fields());
        }
    }
}
