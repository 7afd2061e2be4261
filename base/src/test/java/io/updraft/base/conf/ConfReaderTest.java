package io.updraft.base.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConfReaderTest {

    private enum Speed {
        SLOW,
        VERY_FAST
    }

    @Test
    void shouldReadNumbersFromJavaYamlAndCommandLines() {
        ConfReader reader = new ConfReader(Map.of("a", 5, "b", 5L, "c", 5.0, "d", " 5 "));
        for (String key : List.of("a", "b", "c", "d")) {
            assertThat(reader.integer(key, 1, 0)).isEqualTo(5);
        }
        assertThat(reader.integer("e", 1, 0)).isEqualTo(1);
    }

    @Test
    void shouldTakeAKeyWithoutAValueForMissing() {
        Map<String, Object> conf = new HashMap<>();
        conf.put("a", null);
        ConfReader reader = new ConfReader(conf);
        assertThat(reader.integer("a", 7, 0)).isEqualTo(7);
        assertThat(reader.flag("a", true)).isTrue();
        assertThat(reader.constant("a", Speed.SLOW)).isEqualTo(Speed.SLOW);
        assertThat(reader.text("a")).isEmpty();
    }

    @Test
    void shouldNameTheKeyTheValueAndWhatIsAllowed() {
        ConfReader reader = new ConfReader(Map.of("n", 1.5, "big", 1L << 40, "f", "yes", "s", "quick", "c", "x"));
        assertThatThrownBy(() -> reader.integer("n", 1, 2))
                .hasMessage("n is '1.5': it must be a whole number of at least 2");
        assertThatThrownBy(() -> reader.integer("big", 1, 2, 9))
                .hasMessage("big is '1099511627776': it must be a whole number from 2 to 9");
        assertThatThrownBy(() -> reader.flag("f", true)).hasMessage("f is 'yes': it must be true or false");
        assertThatThrownBy(() -> reader.constant("s", Speed.SLOW))
                .hasMessage("s is 'quick': it must be 'slow' or 'very-fast'");
        assertThatThrownBy(() -> reader.choice("c", "a", List.of("a", "b")))
                .hasMessage("c is 'x': it must be one of [a, b]");
    }

    @Test
    void shouldRefuseWithTheExceptionOfItsUser() {
        ConfReader reader = new ConfReader(Map.of("n", "x"), NumberFormatException::new);
        assertThatThrownBy(() -> reader.integer("n", 1, 0)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void shouldReadConstantsInSmallLettersWithHyphens() {
        assertThat(new ConfReader(Map.of("s", "Very-Fast")).constant("s", Speed.SLOW))
                .isEqualTo(Speed.VERY_FAST);
    }

    @Test
    void shouldUseTheNearestValueThatIsSupported() {
        assertThat(new ConfReader(Map.of("n", 1_000)).nearest("n", 5, 0, 1, 100))
                .isEqualTo(100);
        assertThat(new ConfReader(Map.of("n", 0)).nearest("n", 5, 0, 1, 100)).isEqualTo(1);
    }
}
