package io.updraft.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallRemindersTest {

    private static final long SECOND = 1_000_000_000L;

    private final CallReminders reminders = new CallReminders();

    private static CallInProgress call(String component, String thread, long seconds) {
        return new CallInProgress(component, 1, "execute", seconds * SECOND, thread, "running", false, List.of());
    }

    /** Returns the ages, in seconds, at which a call that lasts is reported. */
    private List<Long> reported(long seconds) {
        List<Long> ages = new ArrayList<>();
        for (long age = 0; age <= seconds; age++) {
            reminders.due(List.of(call("c", "t", age)), age * SECOND).forEach(each -> ages.add(each.nanos() / SECOND));
        }
        return ages;
    }

    @Test
    void shouldReportACallThatNeverReturnsAgainButRarely() {
        assertThat(reported(2 * 3600)).containsExactly(3L, 15L, 60L, 300L, 3900L);
    }

    @Test
    void shouldReportOneOfManyLongCallsAMinute() {
        int lines = 0;
        for (long second = 0; second < 600; second++) {
            lines += reminders
                    .due(List.of(call("c", "t", second % 5)), second * SECOND)
                    .size();
        }
        assertThat(lines).isEqualTo(10);
    }

    @Test
    void shouldReportEachComponent() {
        assertThat(reminders.due(List.of(call("a", "t", 4), call("b", "u", 4)), 0))
                .hasSize(2);
    }
}
