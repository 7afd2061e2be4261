package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Map;
import java.util.Queue;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits each number until it is acked, and writes a file when all of them are. */
final class NumbersSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1L;

    private final int count;
    private final String report;
    private transient SpoutOutputCollector collector;
    private transient Queue<Integer> toEmit;
    private transient BitSet acked;

    NumbersSpout(int count, String report) {
        this.count = count;
        this.report = report;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        acked = new BitSet();
        toEmit = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            toEmit.add(i);
        }
    }

    @Override
    public void nextTuple() {
        Integer number = toEmit.poll();
        if (number != null) {
            collector.emit(new Values(number), number);
        }
    }

    @Override
    public void ack(Object number) {
        acked.set((Integer) number);
        if (acked.cardinality() == count) {
            write(count + " acked");
        }
    }

    @Override
    public void fail(Object number) {
        toEmit.add((Integer) number);
    }

    private void write(String text) {
        try {
            Files.writeString(Path.of(report), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number"));
    }
}
