package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfTextTest {

    private final ZipfText text = new ZipfText(1);

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 1, 1.2, 10})
    void shouldKnowTheWordsOfAnyNumberOfSentences(double exponent) {
        ZipfText text = new ZipfText(exponent);
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
        assertThat(new ZipfText(1).wordsOf(4096)).isEqualTo(text.wordsOf(4096));
    }

    @Test
    void shouldKeepTheUsualText() {
        StringBuilder all = new StringBuilder();
        for (long number = 0; number < 4096; number++) {
            all.append(text.sentence(number)).append('\n');
        }

        assertThat(all.toString().hashCode()).isEqualTo(-1_367_291_049);
        assertThat(new ZipfText(1).wordsOf(4096)).isEqualTo(text.wordsOf(4096));
    }

    @Test
    void shouldFollowTheExponent() {
        assertThat(shareOfTheMostFrequent(new ZipfText(0))).isLessThan(0.002);
        assertThat(shareOfTheMostFrequent(new ZipfText(0.5))).isBetween(0.004, 0.012); // expected: 0.007
        assertThat(shareOfTheMostFrequent(new ZipfText(1.2))).isBetween(0.2, 0.25); // expected: 0.213
        assertThat(shareOfTheMostFrequent(new ZipfText(10))).isGreaterThan(0.99);
    }

    @Test
    void shouldHaveAFewFrequentWordsAndManyRareOnes() {
        Map<String, Long> words = text.wordsOf(4096);

        assertThat(words).hasSizeGreaterThan(3000);
        assertThat(shareOfTheMostFrequent(text)).isBetween(0.08, 0.14);
    }

    private static double shareOfTheMostFrequent(ZipfText text) {
        Collection<Long> counts = text.wordsOf(4096).values();
        return (double) Collections.max(counts)
                / counts.stream().mapToLong(Long::longValue).sum();
    }
}
