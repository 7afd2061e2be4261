package io.updraft.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {

    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x61c, 0x200b, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
                0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xfff9
            })
    void shouldEscapeCharactersWithoutAShape(int character) {
        assertThat(VisibleText.of("a" + Character.toString(character) + "b"))
                .isEqualTo(String.format("a\\u%04xb", character));
    }

    @Test
    void shouldEscapeBreaksAndHalvesOfPairsAndWhatTakesAPair() {
        assertThat(VisibleText.of("a\nb\tc\rd")).isEqualTo("a\\nb\\tc\\rd");
        assertThat(VisibleText.of("a\ud800b")).isEqualTo("a\\ud800b");
        assertThat(VisibleText.of("a\udb40\udc01b")).isEqualTo("a\\udb40\\udc01b");
    }

    @Test
    void shouldKeepWhatHasAShape() {
        String text = "count \u00e9 e\u0301 \u05e9\u05dc\u05d5\u05dd \u5206\u8bcd \ud83d\ude00 \\n";
        assertThat(VisibleText.of(text)).isEqualTo(text);
    }
}
