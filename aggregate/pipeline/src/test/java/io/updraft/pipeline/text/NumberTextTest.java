package io.updraft.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the texts of the JDK. */
final class NumberTextTest {

    private final Utf8Buffer buffer = new Utf8Buffer();
    private final Random random = new Random(1);

    private void check(double number) {
        buffer.clear();
        if (!buffer.addNumber(number).toString().equals(Double.toString(number))) {
            assertThat(buffer.toString()).isEqualTo(Double.toString(number));
        }
    }

    private void check(long number) {
        buffer.clear();
        assertThat(buffer.addNumber(number).toString()).isEqualTo(Long.toString(number));
    }

    @Test
    void shouldWriteAllDigitsOfADecimal() {
        for (int i = 0; i < 100_000; i++) {
            long unscaled =
                    random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L) >> random.nextInt(60);
            int scale = random.nextInt(19);
            buffer.clear();
            assertThat(buffer.addDecimal(unscaled, scale).toString())
                    .isEqualTo(BigDecimal.valueOf(unscaled, scale).toPlainString());
        }
    }

    @Test
    void shouldWriteDecimalsOfFewDigits() {
        for (int i = 0; i < 400_000; i++) {
            long digits = random.nextLong(1L << 1 + random.nextInt(56));
            double decimal = digits / Math.pow(10, random.nextInt(12));
            check(decimal);
            check(-decimal);
        }
    }

    @Test
    void shouldWriteDoublesNextToDecimals() {
        for (int i = 0; i < 100_000; i++) {
            double decimal = random.nextLong(1L << 1 + random.nextInt(40)) / Math.pow(10, random.nextInt(6));
            check(Math.nextUp(decimal));
            check(Math.nextDown(decimal));
        }
    }

    @Test
    void shouldWriteAnyDouble() {
        for (int i = 0; i < 100_000; i++) {
            check(Double.longBitsToDouble(random.nextLong()));
            check(random.nextDouble());
            check(random.nextInt() * random.nextDouble());
        }
        for (double limit : new double[] {1e-3, 1e7, 1e11, 1e15, 1L << 53, 1e16, 0.1 + 0.2, 0, 1, Double.MIN_VALUE}) {
            for (double number : new double[] {Math.nextDown(limit), limit, Math.nextUp(limit), limit * 1.5}) {
                check(number);
                check(-number);
            }
        }
        check(Double.NaN);
        check(Double.POSITIVE_INFINITY);
        check(Double.NEGATIVE_INFINITY);
        check(Double.MAX_VALUE);
    }

    @Test
    void shouldWriteAnyLong() {
        for (int bits = 0; bits < 64; bits++) {
            check(1L << bits);
            check(-1L << bits);
            check(random.nextLong() >> bits);
        }
        for (long power = 1; power > 0 && power < 1_000_000_000_000_000_000L; power *= 10) {
            check(power);
            check(power - 1);
            check(-power);
        }
        check(Long.MAX_VALUE);
    }
}
