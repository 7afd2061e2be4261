package io.updraft.timeseries.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ShortNumberTest {

    private static final Pattern JSON = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?");

    @Test
    void shouldGiveTheNumberThatBigDecimalGives() {
        Random random = new Random(5);
        byte[] alphabet =
                "0123456789012345678901234567890123456789....--+eE,}\n \u00007".getBytes(StandardCharsets.US_ASCII);
        int found = 0;
        for (int i = 0; i < 2_000_000; i++) {
            byte[] text = new byte[1 + random.nextInt(14)];
            for (int k = 0; k < text.length; k++) {
                text[k] = random.nextInt(40) == 0
                        ? (byte) random.nextInt(256)
                        : alphabet[random.nextInt(alphabet.length)];
            }
            int from = random.nextInt(Math.min(3, text.length));
            int shape = ShortNumber.shape(text, from);
            if (shape != ShortNumber.NONE) {
                String all = new String(text, from, text.length - from, StandardCharsets.ISO_8859_1);
                check(all, text, from, shape);
                found++;
            }
        }
        assertThat(found).isGreaterThan(100_000);
    }

    private static void check(String text, byte[] bytes, int from, int shape) {
        Matcher matcher = JSON.matcher(text);
        assertThat(matcher.lookingAt()).as(text).isTrue();
        BigDecimal expected = new BigDecimal(matcher.group());
        assertThat(ShortNumber.length(shape)).as(text).isEqualTo(matcher.end());
        assertThat(ShortNumber.real(bytes, from, shape) + 0.0).as(text).isEqualTo(expected.doubleValue() + 0.0);
        assertThat(ShortNumber.isWhole(shape)).as(text).isEqualTo(matcher.group(2) == null);
        if (ShortNumber.isWhole(shape)) {
            assertThat(ShortNumber.whole(bytes, from, shape)).as(text).isEqualTo(expected.longValue());
        }
        if (expected.signum() == 0) {
            assertThat(1 / ShortNumber.real(bytes, from, shape) < 0).as(text).isEqualTo(text.startsWith("-"));
        }
    }

    @Test
    void shouldTakeEachNumberOfUpToSevenCharacters() {
        for (String text :
                new String[] {"0", "7", "-0", "-1", "1234567", "-999999", "0.5", "-25.6", "123.456", "0.00001"}) {
            byte[] bytes = (text + ",        ").getBytes(StandardCharsets.US_ASCII);
            assertThat(ShortNumber.shape(bytes, 0)).as(text).isNotEqualTo(ShortNumber.NONE);
        }
    }
}
