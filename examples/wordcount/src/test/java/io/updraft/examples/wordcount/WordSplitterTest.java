package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordSplitterTest {

    @Test
    void shouldTakeRunsOfLettersInLowerCase() {
        assertThat(words("It's the END--of_it, 3rd time."))
                .containsExactly("it", "s", "the", "end", "of", "it", "rd", "time");
    }

    @Test
    void shouldTakeBytesOutsideAsciiForSeparators() {
        assertThat(words("Ph\u00c3\u00a6nomena")).containsExactly("ph", "nomena");
    }

    @Test
    void shouldFindNoWordWhereThereIsNoLetter() {
        assertThat(words("")).isEmpty();
        assertThat(words(" 1.2@[`{\0")).isEmpty();
    }

    @Test
    void shouldTakeFirstAndLastLetters() {
        assertThat(words("AZaz")).containsExactly("azaz");
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        WordSplitter.forEach(text, words::add);
        return words;
    }
}
