package io.updraft.timeseries.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
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
        "0e999999999999,0"
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
}
