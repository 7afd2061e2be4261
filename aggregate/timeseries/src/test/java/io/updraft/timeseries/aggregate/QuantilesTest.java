package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Random;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class QuantilesTest {

    private static final double[] FRACTIONS = {0, 0.01, 0.5, 0.9, 0.99, 1};

    @Test
    void shouldBeThatOfASketchWithFewValuesAndWithMany() {
        for (int count : new int[] {1, 2, 3, 63, 64, 65, 200}) {
            Random random = new Random(count);
            KllDoublesSketch sketch = KllDoublesSketch.newHeapInstance();
            Quantiles quantiles = new Quantiles();
            quantiles.add(Double.NaN);
            for (int i = 0; i < count; i++) {
                double value = random.nextGaussian();
                sketch.update(value);
                quantiles.add(value);
            }
            assertSame(quantiles, sketch);
            assertSame(quantiles.copy(), sketch);
        }
    }

    @Test
    void shouldBeThatOfAllValuesWhenPartsAreMerged() {
        for (int first : new int[] {0, 1, 40, 64, 100}) {
            for (int second : new int[] {0, 1, 40, 64, 100}) {
                KllDoublesSketch sketch = KllDoublesSketch.newHeapInstance();
                Quantiles both = range(0, first, sketch);
                both.add(range(first, first + second, sketch));
                if (first + second > 0) {
                    assertSame(both, sketch);
                }
            }
        }
    }

    private static Quantiles range(int from, int to, KllDoublesSketch all) {
        Quantiles quantiles = new Quantiles();
        for (int i = from; i < to; i++) {
            quantiles.add(i * 7919 % 1009);
            all.update(i * 7919 % 1009);
        }
        return quantiles;
    }

    private static void assertSame(Quantiles quantiles, KllDoublesSketch sketch) {
        for (double fraction : FRACTIONS) {
            assertThat(quantiles.sketch().getQuantile(fraction)).isEqualTo(sketch.getQuantile(fraction));
        }
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_21)
    void shouldBeTheSameAfterItWasEvicted() {
        for (int count : new int[] {1, 64, 65, 200}) {
            KllDoublesSketch sketch = KllDoublesSketch.newHeapInstance();
            Quantiles quantiles = range(0, count, sketch);
            if (Sketches.canBeBytes()) {
                Quantiles read = Quantiles.fromBytes(quantiles.toBytes());
                assertSame(read, sketch);
                assertThat(read.bytes()).isLessThanOrEqualTo(2 * quantiles.bytes());
            }
        }
    }

    /** A sketch says how many bytes its values take, not how many it has allocated for them. */
    @Test
    void shouldCountTheMemoryThatIsAllocated() throws Exception {
        for (int count = 1; count < 100_000; count += 1 + count / 3) {
            Quantiles quantiles = range(0, count, KllDoublesSketch.newHeapInstance());
            long numbers = 8L * ((double[]) field(quantiles)).length;
            assertThat(quantiles.bytes())
                    .as("%d values", count)
                    .isGreaterThanOrEqualTo(numbers + 48)
                    .isLessThan(2 * numbers + 300);
        }
    }

    private static Object field(Quantiles quantiles) throws Exception {
        Field values = Quantiles.class.getDeclaredField("values");
        values.setAccessible(true);
        if (values.get(quantiles) != null) {
            return values.get(quantiles);
        }
        KllDoublesSketch sketch = quantiles.sketch();
        Field items = sketch.getClass().getDeclaredField("doubleItems");
        items.setAccessible(true);
        return items.get(sketch);
    }
}
