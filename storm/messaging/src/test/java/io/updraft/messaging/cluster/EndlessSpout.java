package io.updraft.messaging.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits new numbers, a thousand each second, until a file {@code stop} appears. Then it replays failed numbers until each is
 * acked, and reports.
 */
@SuppressWarnings("serial")
final class EndlessSpout extends BaseRichSpout {

    private static final long LOOK_NANOS = 100_000_000;
    /** Other tests want the cores, too. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final String directory;
    private transient SpoutOutputCollector collector;
    private transient Queue<Long> failed;
    private transient Set<Long> pending;
    private transient long next;
    private transient long failures;
    private transient long emittedAt;
    private transient long lookedAt;
    private transient boolean stopping;

    EndlessSpout(String directory) {
        this.directory = directory;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        failed = new ArrayDeque<>();
        pending = new HashSet<>();
        emittedAt = System.nanoTime();
        lookedAt = emittedAt;
    }

    @Override
    public void nextTuple() {
        Long number = failed.poll();
        if (number == null && !isStopping() && System.nanoTime() - emittedAt > PAUSE_NANOS) {
            emittedAt = System.nanoTime();
            number = next++;
            pending.add(number);
        }
        if (number != null) {
            collector.emit(new Values(number), number);
        }
    }

    private boolean isStopping() {
        long now = System.nanoTime();
        if (!stopping && now - lookedAt > LOOK_NANOS) {
            lookedAt = now;
            stopping = Files.exists(Path.of(directory, "stop"));
            reportIfDone();
        }
        return stopping;
    }

    @Override
    public void ack(Object number) {
        pending.remove(number);
        reportIfDone();
    }

    private void reportIfDone() {
        if (stopping && pending.isEmpty()) {
            write("done", "emitted " + next + ", unacked " + pending.size() + ", failed " + failures);
        }
    }

    @Override
    public void fail(Object number) {
        failures++;
        failed.add((Long) number);
    }

    private void write(String name, String text) {
        try {
            // Moved into place, so that nobody reads half of it.
            Path draft = Files.writeString(Path.of(directory, name + ".draft"), text);
            Files.move(draft, Path.of(directory, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number"));
    }
}
