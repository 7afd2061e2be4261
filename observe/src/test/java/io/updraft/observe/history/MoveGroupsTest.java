package io.updraft.observe.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.Move;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveGroupsTest {
    private static final String OWN = "a thread of its own";
    private static final String STUCK = "a call did not return, and delayed the loop";

    private static Move leaves(long millis, String subject, int loop) {
        return new Move(millis, subject, "loop " + loop, OWN, STUCK);
    }

    private static Move slow(long millis, String subject, String duration) {
        return new Move(millis, subject, "loop 0", OWN, "its calls take " + duration + " ms");
    }

    @Test
    void shouldPutMovesOfOneComponentForOneReasonTogether() {
        assertThat(MoveGroups.of(List.of(
                        leaves(1_000, "count, task 3", 0),
                        leaves(1_500, "split, task 9", 0),
                        leaves(2_000, "count, task 4", 1),
                        leaves(4_000, "count, task 5", 0))))
                .containsExactly(
                        new Move(1_000, "3 executors of count", "their loops", "threads of their own", STUCK),
                        leaves(1_500, "split, task 9", 0));
    }

    @Test
    void shouldCountTheMovesOfOneExecutor() {
        assertThat(MoveGroups.of(List.of(
                        slow(0, "count, task 3", "0.4"),
                        slow(100, "count, task 3", "1.7"),
                        slow(200, "count, task 4", "12.5"))))
                .containsExactly(new Move(
                        0,
                        "2 executors of count (3 times)",
                        "loop 0",
                        "threads of their own",
                        "its calls take 0.4 ms"));
        assertThat(MoveGroups.of(List.of(leaves(0, "count, task 3", 0), leaves(9, "count, task 3", 0))))
                .containsExactly(new Move(0, "count, task 3 (2 times)", "loop 0", OWN, STUCK));
    }

    @Test
    void shouldKeepOtherReasonsOtherWaysAndLaterMovesApart() {
        Move back = new Move(200, "count, task 3", OWN, "loop 0", "its calls were quick for a while");
        List<Move> apart = List.of(
                leaves(0, "count, task 3", 0),
                slow(100, "count, task 4", "0.4"),
                back,
                leaves(2_001, "count, task 4", 0));
        assertThat(MoveGroups.of(apart)).isEqualTo(apart);
    }

    @Test
    void shouldLeaveMovesOfWorkersAndComponentsAlone() {
        List<Move> others = List.of(
                new Move(0, "worker 1", "a", "b", "c"),
                new Move(0, "worker 1", "a", "b", "c"),
                new Move(1, "count", "2 executors", "4 executors", "rebalanced by an operator"));
        assertThat(MoveGroups.of(others)).isEqualTo(others);
    }

    @Test
    void shouldKnowTheComponentOfAGroup() {
        assertThat(MoveGroups.isOf("count", leaves(0, "count, task 3", 0))).isTrue();
        assertThat(MoveGroups.isOf("count", leaves(0, "count, task 3 (2 times)", 0)))
                .isTrue();
        assertThat(MoveGroups.isOf("count", leaves(0, "14 executors of count (20 times)", 0)))
                .isTrue();
        assertThat(MoveGroups.isOf("count", leaves(0, "4 executors of my executors of count", 0)))
                .isFalse();
        assertThat(MoveGroups.isOf("count", leaves(0, "counter, task 3", 0))).isFalse();
    }
}
