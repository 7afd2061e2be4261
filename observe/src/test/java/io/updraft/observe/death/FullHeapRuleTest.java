package io.updraft.observe.death;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.process.OldObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullHeapRuleTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX = 1_000;

    private final FullHeapRule rule = new FullHeapRule();
    private final List<Integer> looks = new ArrayList<>();

    private void read(int second, long used, long collections) {
        rule.add(second * SECOND, new OldObjects(used, MAX, collections));
        if (rule.isLookDue()) {
            looks.add(second);
            rule.looked(second * SECOND);
        }
    }

    @Test
    void shouldCallAHeapNearlyFullThatFurtherCollectionsDoNotEmpty() {
        read(0, 500, 1);
        read(1, 920, 2);
        read(3, 930, 3);
        assertThat(rule.isNearlyFull()).isFalse();
        read(4, 930, 3);
        assertThat(rule.isNearlyFull()).isTrue();
        read(5, 600, 4);
        assertThat(rule.isNearlyFull()).isFalse();
    }

    @Test
    void shouldNotAlarmAfterASingleCollection() {
        for (int second = 0; second < 60; second++) {
            read(second, 950, 2);
        }
        assertThat(rule.isNearlyFull()).isFalse();
    }

    @Test
    void shouldNotAlarmOnALargeSteadyState() {
        for (int second = 0; second < 600; second++) {
            read(second, 850 + second % 7 * 8, second);
            assertThat(rule.isNearlyFull()).isFalse();
        }
        assertThat(looks).containsExactly(0);
    }

    @Test
    void shouldNotAlarmWithoutAKnownSize() {
        rule.add(0, new OldObjects(10, 0, 1));
        rule.add(9 * SECOND, new OldObjects(20, 0, 9));
        assertThat(rule.isNearlyFull()).isFalse();
    }

    @Test
    void shouldLookWhileTheHeapFillsThenWhenItIsNearlyFullThenRarely() {
        read(0, 100, 1);
        read(10, 820, 2);
        for (int second = 20; second <= 100; second++) {
            read(second, 950, second);
        }
        assertThat(looks).containsExactly(10, 23, 53, 83);
    }

    @Test
    void shouldStayDueUntilALookHasFoundMemory() {
        rule.add(0, new OldObjects(990, MAX, 1));
        assertThat(rule.isLookDue()).isTrue();
        rule.add(SECOND / 2, new OldObjects(990, MAX, 9));
        assertThat(rule.isLookDue()).isTrue();
        rule.looked(SECOND / 2);
        assertThat(rule.isLookDue()).isFalse();
        rule.add(SECOND, new OldObjects(990, MAX, 19));
        assertThat(rule.isLookDue()).isFalse();
    }

    @Test
    void shouldNotBeDueAfterTheHeapHasRecovered() {
        rule.add(0, new OldObjects(990, MAX, 1));
        rule.add(SECOND, new OldObjects(100, MAX, 2));
        assertThat(rule.isLookDue()).isFalse();
    }

    @Test
    void shouldNotLookAtEachChangeAroundTheThreshold() {
        for (int second = 0; second < 60; second++) {
            read(second, second % 2 == 0 ? 790 : 810, second);
        }
        assertThat(looks).containsExactly(1, 31);
    }
}
