package io.updraft.storm.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.storm.component.CountWindowBolt.CountWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.apache.storm.topology.base.BaseWindowedBolt.Duration;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.CountEvictionPolicy;
import org.apache.storm.windowing.CountTriggerPolicy;
import org.apache.storm.windowing.TupleWindow;
import org.apache.storm.windowing.WindowLifecycleListener;
import org.apache.storm.windowing.WindowManager;
import org.junit.jupiter.api.Test;

/** Compares the count window with Storm's window manager: the same numbers go into both. */
@SuppressWarnings("serial")
class CountWindowTest {

    /** Writes down what it is told, and throws now and then, at the same calls in both. */
    private static final class Log implements WindowLifecycleListener<Integer> {
        private final List<List<Object>> reported = new ArrayList<>();
        private final SplittableRandom random;
        private final int failures;

        Log(long seed, int failures) {
            this.random = new SplittableRandom(seed);
            this.failures = failures;
        }

        @Override
        public void onExpiry(List<Integer> gone) {
            told("expired", List.copyOf(gone));
        }

        @Override
        public void onActivation(List<Integer> all, List<Integer> added, List<Integer> gone, Long time) {
            if (Math.abs(time - System.currentTimeMillis()) > 60_000) {
                told("not the time: " + time);
            }
            told("window", List.copyOf(all), List.copyOf(added), List.copyOf(gone));
            all.clear(); // a bolt may: the lists are its own
        }

        private void told(Object... what) {
            reported.add(List.of(what));
            if (random.nextInt(100) < failures) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Test
    void shouldTellWhatStormsWindowManagerTells() {
        int windows = 0;
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int length = 1 + random.nextInt(random.nextBoolean() ? 8 : 250);
            int slide = 1 + random.nextInt(random.nextBoolean() ? 8 : 250);
            int failures = random.nextBoolean() ? 0 : 20;
            Log storms = new Log(seed, failures);
            Log ours = new Log(seed, failures);

            List<Integer> thrown = feed(ours(ours, length, slide));

            assertThat(thrown).isEqualTo(feed(storms(storms, length, slide)));
            assertThat(ours.reported)
                    .as("length %d, slide %d, seed %d", length, slide, seed)
                    .isEqualTo(storms.reported);
            windows += ours.reported.size();
        }
        assertThat(windows).isGreaterThan(10_000);
    }

    /** {@return the numbers at which the window threw what its listener had thrown} */
    private static List<Integer> feed(Consumer<Integer> window) {
        List<Integer> thrown = new ArrayList<>();
        for (int number = 0; number < 700; number++) {
            try {
                window.accept(number);
            } catch (IllegalStateException e) {
                thrown.add(number);
            }
        }
        return thrown;
    }

    private static Consumer<Integer> storms(Log log, int length, int slide) {
        WindowManager<Integer> manager = new WindowManager<>(log);
        CountEvictionPolicy<Integer> eviction = new CountEvictionPolicy<>(length);
        CountTriggerPolicy<Integer> trigger = new CountTriggerPolicy<>(slide, manager, eviction);
        manager.setEvictionPolicy(eviction);
        manager.setTriggerPolicy(trigger);
        trigger.start();
        return manager::add;
    }

    private static Consumer<Integer> ours(Log log, int length, int slide) {
        return new CountWindow<>(log, length, slide)::add;
    }

    private static final class Windowed extends BaseWindowedBolt {
        @Override
        public void execute(TupleWindow window) {}
    }

    @Test
    void shouldTakeThePlaceOfStormsBoltForPlainWindowsAlone() {
        Object plain = new WindowedBoltExecutor(new Windowed().withWindow(Count.of(2), Count.of(1)));
        Object stamped = new WindowedBoltExecutor(
                new Windowed().withWindow(Count.of(2), Duration.of(1)).withTimestampExtractor(CountWindowTest::timeOf));
        Object own = new WindowedBoltExecutor(new Windowed()) {};

        assertThat(CountWindowBolt.inPlaceOfWindowed(plain)).isInstanceOf(CountWindowBolt.class);
        assertThat(CountWindowBolt.inPlaceOfWindowed(stamped)).isSameAs(stamped);
        assertThat(CountWindowBolt.inPlaceOfWindowed(own)).isSameAs(own);
        assertThat(CountWindowBolt.inPlaceOfWindowed("anything else")).isEqualTo("anything else");
    }

    private static long timeOf(Tuple tuple) {
        return tuple.size();
    }
}
