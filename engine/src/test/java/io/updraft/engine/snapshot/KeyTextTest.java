package io.updraft.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyTextTest {

    /** A key whose text cannot be had. */
    private static final class Mute {
        @Override
        public String toString() {
            throw new UnsupportedOperationException("no text");
        }
    }

    /** A key whose text would be endless. */
    private static final class Endless {
        @Override
        public String toString() {
            return "endless " + this;
        }
    }

    /** A key without text. */
    private static final class Nothing {
        @Override
        public String toString() {
            return null;
        }
    }

    private static String text(Object... key) {
        return KeyText.of(key, 0xabc);
    }

    @Test
    void shouldShowTheValuesOfAllFields() {
        assertThat(text("the")).isEqualTo("the");
        assertThat(text(17, LocalDate.of(2026, 11, 25))).isEqualTo("17, 2026-11-25");
        assertThat(text(null, "")).isEqualTo("null, \"\"");
        assertThat(text(new byte[] {1, -2}, new String[] {"a", "b"})).isEqualTo("[1, -2], [a, b]");
    }

    @Test
    void shouldStayOnOneShortLine() {
        assertThat(text("a\nb\r\tc\u001b[31m\u202e\u2028\u0000d")).isEqualTo("a b  c [31m   d");
        assertThat(text("x".repeat(60))).isEqualTo("x".repeat(60));
        assertThat(text("x".repeat(61))).hasSize(60).endsWith("xxx...#abc");
        assertThat(text("x".repeat(10_000_000), "y".repeat(10_000_000)))
                .hasSize(60)
                .endsWith("xxx...#abc");
        assertThat(text("\ud83d\ude00".repeat(100)))
                .hasSizeLessThanOrEqualTo(60)
                .endsWith("\ud83d\ude00...#abc");
        assertThat(text(new long[10_000])).hasSize(60);
        assertThat(text("\n".repeat(10_000))).hasSizeLessThanOrEqualTo(60).doesNotContain("\n");
        Object[] self = new Object[1];
        self[0] = self;
        assertThat(text((Object) self)).startsWith("[[[[Ljava.lang.Object;@");
        Object[] wide = new Object[100];
        Arrays.fill(wide, "word");
        assertThat(text((Object) wide)).hasSize(60);
    }

    @Test
    void shouldSurviveKeysWithoutText() {
        assertThat(text(new Mute(), 1)).isEqualTo("Mute#abc, 1");
        assertThat(text(new Endless())).isEqualTo("Endless#abc");
        assertThat(text(new Nothing())).isEqualTo("\"\"");
    }
}
