package io.updraft.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits numbers, replays those that fail, and says in a file when each was acked. */
final class ReplayingSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    private final int messages;
    private final String done;
    private transient SpoutOutputCollector collector;
    private transient ArrayDeque<Integer> failed;
    private transient Set<Integer> pending;
    private transient int next;

    ReplayingSpout(int messages, Path done) {
        this.messages = messages;
        this.done = done.toString();
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
        collector = spoutCollector;
        failed = new ArrayDeque<>();
        pending = new HashSet<>();
    }

    @Override
    public void nextTuple() {
        Integer number = failed.poll();
        if (number == null && next < messages) {
            number = next++;
        }
        if (number != null) {
            pending.add(number);
            collector.emit(new Values(number, "number " + number), number);
        }
    }

    @Override
    public void ack(Object number) {
        if (!pending.remove(number)) {
            throw new IllegalStateException(number + " was acked although it was not in flight");
        }
        if (next == messages && pending.isEmpty() && failed.isEmpty()) {
            sayDone();
        }
    }

    private void sayDone() {
        try {
            Files.writeString(Path.of(done), "all");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void fail(Object number) {
        if (!pending.remove(number)) {
            throw new IllegalStateException(number + " failed although it was not in flight");
        }
        failed.add((Integer) number);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number", "text"));
    }
}
