package io.updraft.examples.wordcount;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Counts the words that the fields grouping sends to this task. Counts each word of a line once, even if the line is replayed.
 * When every reader has sent its end marker, the bolt writes its part of the result. If {@code cleanup} comes first, the bolt
 * writes a part that is marked partial.
 */
final class WordCountBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final String parts;
    private final String readerComponent;

    private transient OutputCollector collector;
    private transient PartFile part;
    private transient Map<String, long[]> counts;
    private transient Map<Integer, SeenWords> seen;
    private transient Set<Integer> ended;
    private transient int readers;
    private transient boolean written;

    /** Creates a counter that writes into a directory of parts and gets end markers from the tasks of a component. */
    WordCountBolt(String parts, String readerComponent) {
        this.parts = parts;
        this.readerComponent = readerComponent;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
        collector = boltCollector;
        part = PartFile.start(Path.of(parts), context.getThisTaskId());
        counts = new HashMap<>();
        seen = new HashMap<>();
        ended = new HashSet<>();
        readers = context.getComponentTasks(readerComponent).size();
        written = false;
    }

    @Override
    public void execute(Tuple tuple) {
        if (tuple.getSourceStreamId().equals(LineSpout.END)) {
            end(tuple.getInteger(0));
        } else {
            count(tuple.getInteger(0), tuple.getLong(1), tuple.getString(2), tuple.getInteger(3));
        }
        collector.ack(tuple);
    }

    private void count(int reader, long number, String word, int times) {
        if (seen.computeIfAbsent(reader, r -> new SeenWords()).isNew(number, word)) {
            counts.computeIfAbsent(word, w -> new long[1])[0] += times;
        }
    }

    private void end(int reader) {
        ended.add(reader);
        if (ended.size() == readers && !written) {
            part.writeAll(counts);
            written = true;
        }
    }

    @Override
    public void cleanup() {
        if (!written) {
            part.writePartial(counts);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
