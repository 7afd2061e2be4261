package io.updraft.engine.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.KeyedStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.apache.storm.generated.Grouping;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class KeySamplersTest {

    private static final long SECOND = 1_000_000_000L;
    private static final int[] TASKS = {11, 12, 13, 14};

    /** A clock that the test moves. */
    private static final class ManualClock implements EngineClock {
        private long nanos;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long currentTimeMillis() {
            return nanos / 1_000_000;
        }
    }

    /** A key that fails or notes the thread. */
    private static final class Spy {
        private Thread rendered;
        private int renderings;

        @Override
        public int hashCode() {
            return 5;
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("not comparable");
        }

        @Override
        public String toString() {
            rendered = Thread.currentThread();
            renderings++;
            return "spy";
        }
    }

    private final ManualClock clock = new ManualClock();
    private final KeySamplers samplers = new KeySamplers(clock);
    private final SplittableRandom random = new SplittableRandom(1);

    /** Emits through one grouping and counts what it passes to the sampler. */
    private final class Emitting {
        private final KeySampler sampler;
        private int untilSample = 1;
        private int samples;

        Emitting(int task, String stream) {
            sampler = samplers.create(
                    new StreamPlan("words", stream, new Fields("n", "word"), false, List.of()),
                    new SubscriptionPlan("count", TASKS, Grouping.fields(List.of("word"))),
                    task,
                    false,
                    random.split());
        }

        void emit(int tuples, long nanosBetween, IntFunction<Object> key) {
            for (int i = 0; i < tuples; i++) {
                clock.nanos += nanosBetween;
                if (--untilSample == 0) {
                    Object word = key.apply(i);
                    int hash = 31 + word.hashCode();
                    untilSample = sampler.sample(Arrays.asList(1, word), new int[] {1}, hash, Math.floorMod(hash, 4));
                    samples++;
                }
            }
        }
    }

    private Object skewed(int percent) {
        return random.nextInt(100) < percent ? "the" : "w" + random.nextInt(10_000);
    }

    private List<HotKey> hotKeys() {
        return samplers.read(clock.nanos, task -> false).stream()
                .flatMap(stream -> stream.skewedKeys().stream())
                .toList();
    }

    @Test
    void shouldFindTheKeyThatMostTuplesHave() {
        new Emitting(1, "default").emit(1_000_000, 1_000, i -> skewed(60));
        HotKey hot = hotKeys().get(0);
        assertThat(hotKeys()).hasSize(1);
        assertThat(List.of(hot.from(), hot.stream(), hot.to(), hot.fields(), hot.key()))
                .containsExactly("words", "default", "count", "word", "the");
        int position = Math.floorMod(31 + "the".hashCode(), 4);
        assertThat(hot.position()).isEqualTo(position);
        assertThat(hot.task()).isEqualTo(TASKS[position]);
        assertThat(hot.tasks()).isEqualTo(4);
        assertThat(hot.permille()).isBetween(530L, 670L);
        assertThat(hot.taskPermille()).isBetween(630L, 770L);
    }

    @Test
    void shouldFindNoHotKeyAmongEvenKeys() {
        new Emitting(1, "default").emit(1_000_000, 1_000, i -> skewed(0));
        assertThat(samplers.read(clock.nanos, task -> false)).hasSize(1);
        assertThat(hotKeys()).isEmpty();
    }

    @Test
    void shouldNotBeMisledByAPeriodOfTheStream() {
        for (int period : new int[] {16, 64, 100, 1024, 4096}) {
            new Emitting(1, "default").emit(1_000_000, 100, i -> "w" + i % period);
            assertThat(hotKeys()).as("a period of %d", period).isEmpty();
        }
    }

    @Test
    void shouldSampleAsOftenAsTheRateAllows() {
        for (long rate : new long[] {20, 1_000, 100_000, 10_000_000}) {
            Emitting emitting = new Emitting(1, "default");
            int tuples = (int) Math.min(30 * rate, 30_000_000);
            emitting.emit(tuples, SECOND / rate, i -> skewed(50));
            double seconds = (double) tuples / rate;
            assertThat(emitting.samples / seconds)
                    .as("samples a second at %d tuples a second", rate)
                    .isBetween(Math.min(20.0, rate), 3_500.0);
            KeyedStream stream = samplers.read(clock.nanos, task -> false).get(0);
            assertThat(Arrays.stream(stream.tuplesPerHour()).sum() / 3600.0 / rate)
                    .isBetween(0.9, 1.1);
            assertThat(hotKeys()).extracting(HotKey::key).containsExactly("the");
        }
    }

    @Test
    void shouldShowRecentTraffic() {
        Emitting emitting = new Emitting(1, "default");
        emitting.emit(10_000_000, 1_000, i -> skewed(90));
        emitting.emit(6_000_000, 1_000, i -> i % 2 == 0 ? "now" : "w" + random.nextInt(1_000));
        assertThat(hotKeys()).extracting(HotKey::key).containsExactly("now");
        // The stream becomes ten thousand times slower.
        emitting.emit(8_000, 10_000_000, i -> skewed(90));
        assertThat(hotKeys()).extracting(HotKey::key).containsExactly("the");
    }

    @Test
    void shouldWeighEmittingTasksByTheirRates() {
        new Emitting(1, "default").emit(2_000_000, 1_000, i -> skewed(80));
        new Emitting(2, "default").emit(2_000, 1_000_000, i -> skewed(0));
        assertThat(hotKeys().get(0).permille()).isGreaterThan(600);
        new Emitting(3, "default").emit(40_000_000, 50, i -> skewed(0));
        assertThat(hotKeys()).isEmpty();
    }

    @Test
    void shouldForgetAStreamThatHasEndedAndAnInstanceThatWasReplaced() {
        new Emitting(1, "default").emit(1_000_000, 1_000, i -> skewed(60));
        clock.nanos += 61 * SECOND;
        assertThat(samplers.read(clock.nanos, task -> false)).isEmpty();
        new Emitting(1, "default").emit(1_000_000, 1_000, i -> skewed(60));
        assertThat(hotKeys()).hasSize(1);
        new Emitting(1, "default");
        assertThat(samplers.read(clock.nanos, task -> false)).isEmpty();
    }

    @Test
    void shouldNotShowSystemStreams() {
        new Emitting(1, "__eventlog").emit(1_000_000, 1_000, i -> skewed(60));
        assertThat(samplers.read(clock.nanos, task -> false)).isEmpty();
    }

    @Test
    void shouldRenderAKeyOnceOnTheThreadThatEmits() throws Exception {
        Spy spy = new Spy();
        Thread emitter = new Thread(() -> new Emitting(1, "default").emit(100_000, 10_000, i -> spy));
        emitter.start();
        emitter.join();
        assertThat(hotKeys()).extracting(HotKey::key).containsExactly("spy");
        assertThat(spy.rendered).isSameAs(emitter);
        assertThat(spy.renderings).isEqualTo(1);
    }

    @Test
    void shouldSurviveKeysThatCannotBeCompared() {
        Emitting emitting = new Emitting(1, "default");
        emitting.emit(100_000, 10_000, i -> new Spy());
        emitting.emit(100_000, 10_000, i -> i % 2 == 0 ? new Spy() : "the");
        assertThat(hotKeys()).extracting(HotKey::key).contains("the");
    }
}
