package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenWordsTest {
    private final SeenWords seen = new SeenWords();

    @Test
    void shouldCountEachWordOfALineOnce() {
        for (String word : new String[] {"a", "b", "c"}) {
            assertThat(seen.isNew(7, word)).isTrue();
        }
        for (String word : new String[] {"c", "a", "b"}) {
            assertThat(seen.isNew(7, word)).isFalse();
        }
        assertThat(seen.isNew(8, "a")).isTrue();
    }

    @Test
    void shouldTakeLinesOutOfOrder() {
        assertThat(seen.isNew(100, "a")).isTrue();
        assertThat(seen.isNew(3, "a")).isTrue();
        assertThat(seen.isNew(3, "a")).isFalse();
    }

    @Test
    void shouldTakeALineBeforeTheWindowForALateCopy() {
        assertThat(seen.isNew(0, "a")).isTrue();
        assertThat(seen.isNew(LinesInFlight.WINDOW, "a")).isTrue();
        assertThat(seen.isNew(0, "a")).isFalse();
        assertThat(seen.isNew(0, "never seen, but acked or it could not be so far behind"))
                .isFalse();
    }
}
