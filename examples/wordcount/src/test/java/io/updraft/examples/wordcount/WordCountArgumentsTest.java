package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordCountArgumentsTest {

    @Test
    void shouldHaveDefaults() {
        assertThat(WordCountArguments.parse())
                .isEqualTo(new WordCountArguments(List.of(), Path.of("counts.txt"), 10, 1, 2, 4, "wordcount", false));
    }

    @Test
    void shouldTakeOptionsAndInputsInAnyOrder() {
        assertThat(WordCountArguments.parse(
                        "a", "--top", "3", "--keep", "--name", "w", "--out", "x", "b", "--", "--odd"))
                .isEqualTo(new WordCountArguments(List.of("a", "b", "--odd"), Path.of("x"), 3, 1, 2, 4, "w", true));
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThatThrownBy(() -> WordCountArguments.parse("--nosuch")).hasMessageContaining("unknown option --nosuch");
        assertThatThrownBy(() -> WordCountArguments.parse("--top")).hasMessage("--top needs a value");
        assertThatThrownBy(() -> WordCountArguments.parse("--readers", "0"))
                .hasMessage("--readers needs a number of at least 1, not '0'");
        assertThatThrownBy(() -> WordCountArguments.parse("--top", "many")).hasMessageContaining("not 'many'");
    }
}
