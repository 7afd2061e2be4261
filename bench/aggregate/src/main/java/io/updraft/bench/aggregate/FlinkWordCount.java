package io.updraft.bench.aggregate;

import io.updraft.bench.child.PeerRuntime;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import io.updraft.bench.topology.WordCountTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * The bench's word count on Flink's mini cluster, with state on the heap, object reuse and no checkpoints.
 *
 * <pre>
 *   source ─chained─ split ──hash(word)──► count ─chained─ discard
 * </pre>
 *
 * <p>Each instance of the source emits all sentences of the text, as each task of the bench's spout does.
 */
public final class FlinkWordCount implements PeerRuntime {

    /** Called by name. */
    public FlinkWordCount() {}

    @Override
    public CompletableFuture<?> start(String runId, Shape shape, Map<String, Object> conf) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        conf.forEach((key, value) -> configuration.setString(key, value.toString()));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(configuration);
        environment
                .fromSource(
                        new SentenceSource(runId, shape.zipf()),
                        WatermarkStrategy.noWatermarks(),
                        "spout",
                        Types.STRING)
                .flatMap(new Split(runId))
                .returns(Types.STRING)
                .keyBy(word -> word, Types.STRING)
                .process(new Count(runId))
                .returns(Types.TUPLE(Types.STRING, Types.INT))
                .sinkTo(new DiscardingSink<>());
        return environment.executeAsync("wordcount").getJobExecutionResult();
    }

    /** Splits sentences with the regular expression of the bench's bolt. */
    private static final class Split extends RichFlatMapFunction<String, String> {

        private static final long serialVersionUID = 1;

        private final String runId;
        private transient BenchTaskCounters probe;

        Split(String runId) {
            this.runId = runId;
        }

        @Override
        public void open(OpenContext context) {
            probe = BenchRunState.of(runId).probe(WordCountTopology.SPLIT);
        }

        @Override
        public void flatMap(String sentence, Collector<String> words) {
            for (String word : sentence.split("\\s+")) {
                words.collect(word);
            }
            probe.received();
        }
    }

    /**
     * Counts words and emits each new count. A timer at the end of event time, which is the end of the input, hands the count
     * of each word to the check.
     */
    private static final class Count extends KeyedProcessFunction<String, String, Tuple2<String, Integer>> {

        private static final long serialVersionUID = 1;

        private final String runId;
        private transient ValueState<Integer> counts;
        private transient Map<String, Integer> words;
        private transient BenchTaskCounters probe;
        private transient Tuple2<String, Integer> result;

        Count(String runId) {
            this.runId = runId;
        }

        @Override
        public void open(OpenContext context) {
            counts = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.INT));
            words = new HashMap<>();
            result = new Tuple2<>();
            BenchRunState run = BenchRunState.of(runId);
            run.words(words);
            probe = run.probe(WordCountTopology.COUNT);
        }

        @Override
        public void processElement(String word, Context context, Collector<Tuple2<String, Integer>> out)
                throws Exception {
            Integer before = counts.value();
            if (before == null) {
                context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            }
            Integer count = before == null ? 1 : before + 1;
            counts.update(count);
            result.setFields(word, count);
            out.collect(result);
            probe.received();
        }

        @Override
        public void onTimer(long time, OnTimerContext context, Collector<Tuple2<String, Integer>> out)
                throws Exception {
            words.put(context.getCurrentKey(), counts.value());
        }
    }
}
