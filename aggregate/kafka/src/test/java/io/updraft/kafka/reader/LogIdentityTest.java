package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogIdentityTest {

    @Test
    void shouldReadWhatItHasWritten() {
        LogIdentity mark = new LogIdentity("6o4K7heLTY2ZQCPjzUiutA", 17);
        assertThat(mark.topicId()).isEqualTo("6o4K7heL");
        assertThat(LogIdentity.parse(mark.text())).isEqualTo(mark);
        assertThat(LogIdentity.parse(LogIdentity.NONE.text())).isEqualTo(LogIdentity.NONE);
        assertThat(LogIdentity.parse("a.b-_c.3")).isEqualTo(new LogIdentity("a.b-_c", 3));
    }

    @Test
    void shouldKnowNothingFromWhatOthersHaveWritten() {
        for (String text : new String[] {"", "x", "x.y", ".", "1.99999999999"}) {
            assertThat(LogIdentity.parse(text)).as(text).isEqualTo(LogIdentity.NONE);
        }
    }

    @Test
    void shouldKeepTheNewestEpochThatWasRead() {
        LogIdentity mark = new LogIdentity("id", 4);
        assertThat(mark.read(3)).isSameAs(mark);
        assertThat(mark.read(LogIdentity.NO_EPOCH)).isSameAs(mark);
        assertThat(mark.read(5)).isEqualTo(new LogIdentity("id", 5));
    }

    @Test
    void shouldTellTopicsApartOnlyIfBothAreKnown() {
        LogIdentity one = new LogIdentity("one", 1);
        assertThat(one.isOfAnotherTopicThan(new LogIdentity("two", 1))).isTrue();
        assertThat(one.isOfAnotherTopicThan(new LogIdentity("one", 9))).isFalse();
        assertThat(one.isOfAnotherTopicThan(LogIdentity.NONE)).isFalse();
        assertThat(LogIdentity.NONE.isOfAnotherTopicThan(one)).isFalse();
    }
}
