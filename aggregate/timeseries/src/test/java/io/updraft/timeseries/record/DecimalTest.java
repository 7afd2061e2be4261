package io.updraft.timeseries.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DecimalTest {

    private final Decimal decimal = new Decimal();

    private boolean read(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return decimal.text(bytes, 0, bytes.length);
    }

    @Test
    void shouldEndANumberWhereItsDigitsEndWhateverComesAfter() {
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            int count = 1 + random.nextInt(18);
            long number = 1 + (random.nextLong() >>> 1) % (long) Math.pow(10, count - 1);
            String text = String.valueOf(number);
            byte[] bytes = new byte[text.length() + random.nextInt(10)];
            random.nextBytes(bytes);
            System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, text.length());
            if (bytes.length > text.length()) {
                // Any byte but a digit, and but what goes on with a number.
                byte after = (byte) ("/:;\",}] \t\u007f\u0080\u00b0\u00b9\u00ff".charAt(random.nextInt(14)));
                bytes[text.length()] = after;
            }

            assertThat(decimal.json(bytes, 0, bytes.length)).isEqualTo(text.length());
            assertThat(decimal.isWhole()).isTrue();
            assertThat(decimal.value()).isEqualTo(number);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0,0",
        "+5,5",
        "007,7",
        "1.0,1",
        "12e2,1200",
        "1200e-2,12",
        "1.5e1,15",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775807,-9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "9223372036854775807.000000,9223372036854775807",
        "0.000000000000000000000000000001e30,1",
        "100000000000000000000000e-20,1000",
        "0e999999999999,0",
        "1.0000000000000000000000000000,1",
        "-42.00000000000000000000000000000000,-42",
        "000000000000000000000000000000000042,42",
        "1e3,1000",
        "9.5e8,950000000"
    })
    void shouldReadWholeNumbers(String text, long value) {
        assertThat(read(text)).isTrue();
        assertThat(decimal.isWhole()).isTrue();
        assertThat(decimal.value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551616",
                "99999999999999999999",
                "0.5",
                "1e19",
                "1e-1",
                "1e999999999999999999999",
                "-1e-999999999999999999999",
                "1.00000000000000000000000000001"
            })
    void shouldKnowWhatIsNoWholeNumberOf64Bits(String text) {
        assertThat(read(text)).isTrue();
        assertThat(decimal.isWhole()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-", "+", "+-1", ".5", "5.", "1e", "1e+", "1x", " 1", "1 ", "0x10", "NaN", "1.2.3", "--1", "1d"
            })
    void shouldRefuseWhatIsNoNumber(String text) {
        assertThat(read(text)).isFalse();
    }

    @Test
    void shouldReadDoublesExactly() {
        Random random = new Random(1);
        for (int i = 0; i < 60_000; i++) {
            String text = switch (i % 4) {
                case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                case 1 -> random.nextInt(1_000_000) / 1000.0 + "";
                case 2 -> random.nextLong() + "." + (random.nextLong() >>> 1) + "e" + (random.nextInt(640) - 320);
                default -> random.nextLong() + "e" + (random.nextInt(60) - 30);
            };
            if (text.contains("N") || text.contains("I")) {
                continue;
            }
            assertThat(read(text)).as(text).isTrue();
            assertThat(decimal.real()).as(text).isEqualTo(Double.parseDouble(text));
        }
    }

    @Test
    void shouldScaleAndRoundDown() {
        Random random = new Random(2);
        for (int i = 0; i < 50_000; i++) {
            BigDecimal number = BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(12));
            int power = random.nextInt(10) - 6;
            BigDecimal expected = number.scaleByPowerOfTen(power).setScale(0, RoundingMode.FLOOR);
            assertThat(read(number.toPlainString())).isTrue();
            boolean fits = expected.toBigInteger().bitLength() < 63;
            if (decimal.isScaled(power) || fits) {
                assertThat(BigDecimal.valueOf(decimal.value()))
                        .as("%s e%s", number, power)
                        .isEqualByComparingTo(expected);
            }
        }
    }

    @Test
    void shouldScaleNumbersOfAnyLengthAndRoundDown() {
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal number = new BigDecimal(new BigInteger(1 + random.nextInt(200), random), random.nextInt(70))
                    .multiply(BigDecimal.valueOf(random.nextBoolean() ? 1 : -1));
            int power = random.nextInt(10) - 6;
            BigInteger expected = number.scaleByPowerOfTen(power)
                    .setScale(0, RoundingMode.FLOOR)
                    .toBigInteger();
            boolean fits = expected.bitLength() < 63;
            String text = random.nextBoolean() ? number.toPlainString() : scientific(number);
            assertThat(read(text)).as(text).isTrue();
            assertThat(decimal.isScaled(power) || !fits)
                    .as("%s e%s", text, power)
                    .isTrue();
            if (fits) {
                assertThat(decimal.value()).as("%s e%s", text, power).isEqualTo(expected.longValueExact());
            }
        }
    }

    private static String scientific(BigDecimal number) {
        return number.unscaledValue() + "E" + -number.scale();
    }

    @Test
    void shouldReadDoublesOfManyDigitsExactly() {
        Random random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            // Half way between two doubles, exactly or by one in a late digit: a rounded number of digits fails here.
            double below = Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE);
            if (!Double.isFinite(below) || !Double.isFinite(Math.nextUp(below))) {
                continue;
            }
            BigDecimal half = new BigDecimal(below)
                    .add(new BigDecimal(Math.nextUp(below)))
                    .divide(BigDecimal.valueOf(2));
            BigDecimal late = half.movePointLeft(half.precision() + random.nextInt(20));
            String text = half.add(late.multiply(BigDecimal.valueOf(random.nextInt(3) - 1)))
                    .toString();
            assertThat(read(text)).as(text).isTrue();
            assertThat(decimal.real()).as(text).isEqualTo(Double.parseDouble(text));
        }
    }

    @Test
    void shouldRoundToTheDigitsOfADecimal() {
        Random random = new Random(4);
        for (int i = 0; i < 50_000; i++) {
            BigInteger digits = new BigInteger(1 + random.nextInt(75), random);
            BigDecimal number = new BigDecimal(random.nextBoolean() ? digits : digits.negate(), random.nextInt(25));
            int scale = random.nextInt(19);
            BigInteger unscaled = number.setScale(scale, RoundingMode.HALF_UP).unscaledValue();
            boolean fits = unscaled.abs().compareTo(BigInteger.TEN.pow(18)) < 0;

            assertThat(read(random.nextBoolean() ? number.toPlainString() : number.toString()))
                    .isTrue();
            assertThat(decimal.isDecimal(scale)).as("%s to %s", number, scale).isEqualTo(fits);
            if (fits) {
                assertThat(decimal.value()).as("%s to %s", number, scale).isEqualTo(unscaled.longValueExact());
            }
        }
    }
}
