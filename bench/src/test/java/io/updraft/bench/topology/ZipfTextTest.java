package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZipfTextTest {

    private final ZipfText text = new ZipfText();

    @Test
    void shouldKnowTheWordsOfAnyNumberOfSentences() {
        Map<String, Long> counted = new HashMap<>();
        for (long number = 0; number < 10_000; number++) {
            for (String word : text.sentence(number).split(" ")) {
                counted.merge(word, 1L, Long::sum);
            }
        }

        assertThat(text.wordsOf(10_000)).isEqualTo(counted);
        assertThat(text.wordsOf(0)).isEmpty();
    }

    @Test
    void shouldBeTheSameEveryTime() {
        assertThat(new ZipfText().wordsOf(4096)).isEqualTo(text.wordsOf(4096));
    }

    @Test
    void shouldHaveAFewFrequentWordsAndManyRareOnes() {
        Map<String, Long> words = text.wordsOf(4096);
        long all = words.values().stream().mapToLong(Long::longValue).sum();
        long mostFrequent =
                words.values().stream().mapToLong(Long::longValue).max().orElseThrow();

        assertThat(words).hasSizeGreaterThan(3000);
        assertThat((double) mostFrequent / all).isBetween(0.08, 0.14);
    }
}
