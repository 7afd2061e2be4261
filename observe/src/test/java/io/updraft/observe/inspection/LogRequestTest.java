package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LogRequestTest {
    private static final String FIRST = "2026-11-26T17:00:00,001 WARN  count/3 [updraft-loop-0] acme.CountBolt slow";
    private static final String STACK = "java.io.IOException: no";
    private static final String FRAME = "\tat acme.CountBolt.execute(CountBolt.java:7)";
    private static final String OF_SAME_CLASS =
            "2026-11-26T17:00:01,001 WARN  total/5 [updraft-loop-0] acme.CountBolt slow";
    private static final String SECOND = "2026-11-26T17:00:02,001 INFO  count/14 [Thread-3] other.Library hello";
    private static final String OF_LONGER_NAME = "2026-11-26T17:00:03,001 INFO  my count/3 [Thread-3] acme.CountBolt a";
    private static final String OF_NONE = "2026-11-26T17:00:04,001 INFO  [main] acme.Main count/3 [x] acme.CountBolt b";

    @Test
    void shouldChooseTheEntriesOfAComponentWithTheirStacks() {
        List<String> log =
                List.of(STACK, FIRST, STACK, FRAME, OF_SAME_CLASS, FRAME, SECOND, OF_LONGER_NAME, OF_NONE, FRAME);
        assertThat(LogRequest.of("count", log)).containsExactly(FIRST, STACK, FRAME, SECOND);
    }
}
