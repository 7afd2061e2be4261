package io.updraft.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import io.updraft.bench.topology.RunFailed;
import io.updraft.bench.topology.WordCountTopology;
import io.updraft.bench.topology.ZipfText;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PeerRunSiteTest {

    private static final Shape WORDS = new Shape("wordcount", 1, 1, 1, 10, false, 0);

    @Test
    void shouldFindAllWordsOfAJobThatCountsRight() throws Exception {
        assertThat(run((id, shape, conf) -> count(id, shape, 0)).problems()).isEmpty();
    }

    @Test
    void shouldCallAJobThatCountsWrongInvalid() throws Exception {
        assertThat(run((id, shape, conf) -> count(id, shape, 1)).problems())
                .hasSize(1)
                .allMatch(one -> one.contains("difference 1"));
    }

    @Test
    void shouldGiveTheJobTheTextOfTheShape() throws Exception {
        Shape skewed = new Shape("wordcount", 1, 1, 1, 10, false, 0, 1.5);

        assertThat(run(skewed, (id, shape, conf) -> count(id, shape, 0)).problems())
                .isEmpty();
        assertThat(run(skewed, (id, shape, conf) -> count(id, WORDS, 0)).problems())
                .isNotEmpty();
    }

    @Test
    void shouldSayWhyAJobFailed() throws Exception {
        Exception error = new IllegalStateException("Job execution failed.", new ArithmeticException("/ by zero"));

        assertThat(run((id, shape, conf) -> CompletableFuture.failedFuture(error))
                        .problems())
                .containsExactly("the job failed: java.lang.ArithmeticException: / by zero");
    }

    @Test
    void shouldNotWaitLongerThanTheLimitForTheEndOfAJob() throws Exception {
        try (PeerRunSite site =
                new PeerRunSite((id, shape, conf) -> new CompletableFuture<>(), WORDS, Duration.ofMillis(10))) {
            site.submit("bench", Map.of(), null);

            assertThat(site.ask(BenchQuery.COUNTS).tasks()).isZero();
            assertThatThrownBy(() -> site.ask(BenchQuery.QUIET))
                    .isInstanceOf(RunFailed.class)
                    .hasMessageContaining("did not end within 0 s");
        }
    }

    private static RunResult run(PeerRuntime peer) throws Exception {
        return run(WORDS, peer);
    }

    private static RunResult run(Shape shape, PeerRuntime peer) throws Exception {
        RunSpec spec = new RunSpec("", shape, Map.of(), 0, 1, 0);
        return new BenchRun(spec, new PeerRunSite(peer, shape), row -> {}).call();
    }

    /** Counts one sentence, and some words more often than they occur. */
    private static CompletableFuture<?> count(String runId, Shape shape, int tooMany) {
        BenchRunState run = BenchRunState.of(runId);
        BenchTaskCounters split = run.probe(WordCountTopology.SPLIT);
        BenchTaskCounters count = run.probe(WordCountTopology.COUNT);
        Map<String, Integer> words = new HashMap<>();
        run.words(words);
        run.probe(WordCountTopology.SPOUT).emitted();
        split.received();
        for (String word : new ZipfText(shape.zipf()).sentence(0).split(" ")) {
            words.merge(word, 1, Integer::sum);
            count.received();
        }
        words.merge(words.keySet().iterator().next(), tooMany, Integer::sum);
        return CompletableFuture.completedFuture(null);
    }
}
