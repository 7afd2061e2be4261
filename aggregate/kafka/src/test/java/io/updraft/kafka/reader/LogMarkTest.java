package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogMarkTest {

    @Test
    void shouldReadWhatItHasWritten() {
        LogMark mark = new LogMark("6o4K7heLTY2ZQCPjzUiutA", 17);
        assertThat(mark.topicId()).isEqualTo("6o4K7heL");
        assertThat(LogMark.parse(mark.text())).isEqualTo(mark);
        assertThat(LogMark.parse(LogMark.NONE.text())).isEqualTo(LogMark.NONE);
        assertThat(LogMark.parse("a.b-_c.3")).isEqualTo(new LogMark("a.b-_c", 3));
    }

    @Test
    void shouldKnowNothingFromWhatOthersHaveWritten() {
        for (String text : new String[] {"", "x", "x.y", ".", "1.99999999999"}) {
            assertThat(LogMark.parse(text)).as(text).isEqualTo(LogMark.NONE);
        }
    }

    @Test
    void shouldKeepTheNewestEpochThatWasRead() {
        LogMark mark = new LogMark("id", 4);
        assertThat(mark.read(3)).isSameAs(mark);
        assertThat(mark.read(LogMark.NO_EPOCH)).isSameAs(mark);
        assertThat(mark.read(5)).isEqualTo(new LogMark("id", 5));
    }

    @Test
    void shouldTellTopicsApartOnlyIfBothAreKnown() {
        LogMark one = new LogMark("one", 1);
        assertThat(one.isOfAnotherTopicThan(new LogMark("two", 1))).isTrue();
        assertThat(one.isOfAnotherTopicThan(new LogMark("one", 9))).isFalse();
        assertThat(one.isOfAnotherTopicThan(LogMark.NONE)).isFalse();
        assertThat(LogMark.NONE.isOfAnotherTopicThan(one)).isFalse();
    }
}
