package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Word count with a text in memory; its mirror is storm-perf's {@code FileReadWordCountTopo}.
 *
 * <pre>
 *   spout ──localOrShuffle──► split ──fields(word)──► count
 *   ×spouts                   ×bolts/2                ×bolts
 * </pre>
 *
 * <p>A message is a sentence. The check compares the numbers of sentences and words and the count of each word, and verifies
 * that no word was counted by two tasks.
 */
public final class WordCountTopology implements BenchTopology {

    /** The id of the component that splits sentences. */
    public static final String SPLIT = "split";

    /** The id of the component that counts words. */
    public static final String COUNT = "count";

    /** The texts of the runs in this JVM, by their exponents. */
    private static final Map<Double, ZipfText> TEXTS = new ConcurrentHashMap<>();

    /** Used by reflection. */
    public WordCountTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        double zipf = shape.zipf();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new CountingSpout(runId, shape, () -> sentences(zipf), "message"), shape.spouts());
        CountingBolt split = new CountingBolt(runId, (run, task) -> WordCountTopology::split, "word");
        builder.setBolt(SPLIT, split, Math.max(1, shape.bolts() / 2)).localOrShuffleGrouping(SPOUT);
        CountingBolt count = new CountingBolt(runId, (run, task) -> counting(run), "word", "count");
        builder.setBolt(COUNT, count, shape.bolts()).fieldsGrouping(SPLIT, new Fields("word"));
        return builder.createTopology();
    }

    private static LongFunction<Values> sentences(double zipf) {
        ZipfText text = new ZipfText(zipf);
        return number -> new Values(text.sentence(number));
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SPLIT, TaskCounter.RECEIVED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long words = expected(shape, run).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return new CountCheck()
                .completed(run, shape.acked())
                .equal("sentences emitted", run.sum(SPOUT, TaskCounter.EMITTED), "split", delivered(shape, run))
                .equal("words emitted", words, "counted", run.sum(COUNT, TaskCounter.RECEIVED))
                .problems();
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        return wrongCounts(shape, run);
    }

    /**
     * Compares the word counts of a run with the expected counts. The run's spouts must have emitted the sentences of {@link
     * ZipfText} from the first on, with the shape's exponent.
     */
    static List<String> wrongCounts(Shape shape, BenchRunState run) {
        Map<String, Long> expected = expected(shape, run);
        Map<String, Long> counted = new HashMap<>();
        run.wordCounts().forEach(part -> part.forEach((word, count) -> counted.merge(word, (long) count, Long::sum)));
        Set<String> words = new HashSet<>(expected.keySet());
        words.addAll(counted.keySet());
        int entries = run.wordCounts().stream().mapToInt(Map::size).sum();
        CountCheck check =
                new CountCheck().equal("different words", counted.size(), "entries of all counters", entries);
        words.forEach(word -> check.equal(
                "'" + word + "' emitted", expected.getOrDefault(word, 0L), "counted", counted.getOrDefault(word, 0L)));
        return check.problems();
    }

    private static Map<String, Long> expected(Shape shape, BenchRunState run) {
        ZipfText text = TEXTS.computeIfAbsent(shape.zipf(), ZipfText::new);
        Map<String, Long> all = new HashMap<>();
        for (BenchTaskCounters spout : run.probes(SPOUT)) {
            text.wordsOf(spout.get(TaskCounter.EMITTED)).forEach((word, count) -> all.merge(word, count, Long::sum));
        }
        return all;
    }

    /** Splits a sentence at white space, with the same regular expression as storm-perf's {@code SplitSentenceBolt}. */
    private static void split(Tuple sentence, BasicOutputCollector collector) {
        for (String word : sentence.getString(0).split("\\s+")) {
            collector.emit(new Values(word));
        }
    }

    /** Counts words and emits each new count on a stream without consumers, as storm-perf's {@code CountBolt} does. */
    private static BiConsumer<Tuple, BasicOutputCollector> counting(BenchRunState run) {
        Map<String, Integer> counts = new HashMap<>();
        run.words(counts);
        return (tuple, collector) -> {
            String word = tuple.getString(0);
            Integer count = counts.merge(word, 1, Integer::sum);
            collector.emit(new Values(word, count));
        };
    }
}
