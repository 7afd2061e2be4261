package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LogRequestTest {
    private static final String OF_LOGGER = "2026-11-26T17:00:00,001 WARN  [updraft-loop-0] acme.CountBolt slow";
    private static final String STACK = "java.io.IOException: no";
    private static final String FRAME = "\tat acme.CountBolt.execute(CountBolt.java:7)";
    private static final String OF_OTHER = "2026-11-26T17:00:01,001 WARN  [updraft-loop-0] acme.SplitBolt slow";
    private static final String OF_THREAD = "2026-11-26T17:00:02,001 INFO  [updraft-count-3] other.Library hello";
    private static final String OF_TASK = "2026-11-26T17:00:03,001 ERROR [main] engine.Errors count[3] failed";
    private static final String OF_LONGER_NAME =
            "2026-11-26T17:00:04,001 INFO  [updraft-counter-3] other.Library hello";

    @Test
    void shouldChooseTheEntriesOfAComponentWithTheirStacks() {
        List<String> log = List.of(STACK, OF_LOGGER, STACK, FRAME, OF_OTHER, FRAME, OF_THREAD, OF_TASK, OF_LONGER_NAME);
        assertThat(LogRequest.of("count", Set.of("acme.CountBolt"), log))
                .containsExactly(OF_LOGGER, STACK, FRAME, OF_THREAD, OF_TASK);
    }
}
