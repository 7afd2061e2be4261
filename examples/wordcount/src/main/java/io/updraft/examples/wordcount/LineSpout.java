package io.updraft.examples.wordcount;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Reads its share of the inputs. Each line is a tuple whose message id is the line's number. A failed line is emitted again from
 * memory, under the same number. When all lines are acked, and therefore counted, the spout emits an end marker on the stream
 * {@value #END}. Storm has no end of a stream, so the program makes its own.
 *
 * <p>A restarted reader reads from the start again, with the same numbers. The counters ignore words that they have counted.
 */
final class LineSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    /** The stream of the end markers. A marker tells the counters that all lines of a reader are counted. */
    static final String END = "end";

    private static final Long END_ID = -1L;

    private final List<String> inputs;

    private transient SpoutOutputCollector collector;
    private transient LineSource source;
    private transient LinesInFlight inFlight;
    private transient int reader;
    private transient boolean endEmitted;

    LineSpout(List<String> inputs) {
        this.inputs = inputs;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
        int readers = context.getComponentTasks(context.getThisComponentId()).size();
        collector = spoutCollector;
        reader = context.getThisTaskIndex();
        source = InputFiles.open(InputFiles.share(inputs, reader, readers));
        inFlight = new LinesInFlight();
        endEmitted = false;
    }

    @Override
    public void nextTuple() {
        long failed = inFlight.pollFailed();
        if (failed >= 0) {
            emit(failed, inFlight.line(failed));
        } else if (!source.exhausted()) {
            readOn();
        } else if (inFlight.isEmpty() && !endEmitted) {
            endEmitted = true;
            collector.emit(END, new Values(reader), END_ID);
        }
    }

    private void readOn() {
        String line = inFlight.isFull() ? null : poll();
        if (line != null) {
            emit(inFlight.add(line), line);
        }
    }

    private String poll() {
        try {
            return source.poll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void emit(long number, String line) {
        if (line != null) {
            collector.emit(new Values(reader, number, line), number);
        }
    }

    @Override
    public void ack(Object id) {
        inFlight.ack((Long) id);
    }

    @Override
    public void fail(Object id) {
        if (END_ID.equals(id)) {
            endEmitted = false;
        } else {
            inFlight.fail((Long) id);
        }
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("reader", "number", "line"));
        declarer.declareStream(END, new Fields("reader"));
    }
}
