package io.updraft.examples.wordcount;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Splits a line into words. Emits one tuple for each distinct word of the line, with the number of its occurrences. So (reader,
 * number, word) identifies a tuple, and a counter recognises words that it has already counted.
 */
final class LineSplitBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private transient OutputCollector collector;
    private transient Map<String, Integer> words;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
        collector = boltCollector;
        words = new LinkedHashMap<>();
    }

    @Override
    public void execute(Tuple line) {
        words.clear();
        WordSplitter.forEach(line.getString(2), word -> words.merge(word, 1, Integer::sum));
        words.forEach(
                (word, times) -> collector.emit(line, new Values(line.getValue(0), line.getValue(1), word, times)));
        collector.ack(line);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("reader", "number", "word", "times"));
    }
}
