package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    @Test
    void shouldHaveDefaults() {
        assertThat(Arguments.parse())
                .isEqualTo(new Arguments(List.of(), Path.of("counts.txt"), 10, 1, 2, 4, "wordcount", false));
    }

    @Test
    void shouldTakeOptionsAndInputsInAnyOrder() {
        assertThat(Arguments.parse("a", "--top", "3", "--keep", "--name", "w", "--out", "x", "b", "--", "--odd"))
                .isEqualTo(new Arguments(List.of("a", "b", "--odd"), Path.of("x"), 3, 1, 2, 4, "w", true));
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThatThrownBy(() -> Arguments.parse("--nosuch")).hasMessageContaining("unknown option --nosuch");
        assertThatThrownBy(() -> Arguments.parse("--top")).hasMessage("--top needs a value");
        assertThatThrownBy(() -> Arguments.parse("--readers", "0"))
                .hasMessage("--readers needs a number of at least 1, not '0'");
        assertThatThrownBy(() -> Arguments.parse("--top", "many")).hasMessageContaining("not 'many'");
    }
}
