package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.supervised.Schedule.SupervisorSlot;
import io.updraft.transport.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final List<Integer> TASKS = List.of(1, 2, 3, 4);

    private final Assignment assignment = new Assignment("/code");

    ScheduleTest() {
        assignment.set_node_host(new HashMap<>(Map.of("a", "host-a", "b", "host-b")));
        assignment.set_executor_node_port(new HashMap<>());
        assignment.set_executor_start_time_secs(new HashMap<>());
    }

    private void assign(int first, int last, String node, long port, long startSecs) {
        List<Long> executor = List.of((long) first, (long) last);
        assignment.put_to_executor_node_port(executor, new NodeInfo(node, Set.of(port)));
        assignment.put_to_executor_start_time_secs(executor, startSecs);
    }

    private Schedule schedule() {
        return Schedule.of(assignment.deepCopy(), TASKS);
    }

    @Test
    void shouldNumberWorkersByTheirFirstTask() {
        assign(3, 4, "a", 6700, 10);
        assign(1, 1, "b", 6700, 10);
        assign(2, 2, "a", 6700, 12);
        Schedule schedule = schedule();
        assertThat(schedule.workers()).hasSize(2);
        Schedule.ScheduledWorker onA =
                schedule.workerAt(new SupervisorSlot("a", 6700)).orElseThrow();
        assertThat(schedule.numberOf(onA)).isEqualTo(1);
        assertThat(onA.executors()).containsExactly(new ExecutorInfo(2, 2), new ExecutorInfo(3, 4));
        assertThat(onA.startSecs()).isEqualTo(12);
        assertThat(Schedule.tasksOf(onA)).containsExactly(2, 3, 4);
        assertThat(schedule.workerAt(new SupervisorSlot("a", 6701))).isEmpty();
        assertThat(schedule.workersOn("a")).isEqualTo(1);
    }

    @Test
    void shouldFitAScheduleInWhichAWorkerHasMovedAndSayWhereItIs() {
        assign(1, 2, "a", 6700, 10);
        assign(3, 4, "b", 6700, 10);
        Schedule before = schedule();
        assign(3, 4, "a", 6701, 20);
        Schedule after = schedule();
        assertThat(before.fits(after)).isTrue();
        assertThat(before.grouping()).isEqualTo(after.grouping());
        Address moved = new Address("host-a", 6701);
        assertThat(before.peersIn(after)).contains(new PeerAddress(1, 20, new Endpoints("host-a", moved, moved)));
    }

    @Test
    void shouldFitAScheduleInWhichAWorkerHasNoSlot() {
        assign(1, 2, "a", 6700, 10);
        assign(3, 4, "b", 6700, 10);
        Schedule before = schedule();
        assignment.get_executor_node_port().remove(List.of(3L, 4L));
        Schedule after = schedule();
        assertThat(before.fits(after)).isTrue();
        assertThat(before.peersIn(after)).extracting(PeerAddress::worker).containsExactly(0);
    }

    @Test
    void shouldNotFitAScheduleInWhichExecutorsWereDealtOutAnew() {
        assign(1, 1, "a", 6700, 10);
        assign(2, 2, "a", 6700, 10);
        assign(3, 4, "b", 6700, 10);
        Schedule before = schedule();
        assign(2, 2, "b", 6700, 20);
        Schedule after = schedule();
        assertThat(before.fits(after)).isFalse();
        assertThat(before.grouping()).isNotEqualTo(after.grouping());
    }

    @Test
    void shouldMakeAWorkerThatNobodyReachesOfTasksWithoutASlot() {
        assign(1, 2, "a", 6700, 10);
        Schedule schedule = schedule();
        assertThat(schedule.workers()).hasSize(2);
        assertThat(schedule.workers().get(1).slot()).isNull();
        assertThat(schedule.peersIn(schedule)).extracting(PeerAddress::worker).containsExactly(0);
        assertThat(schedule.assignment(Map.of(1, "x", 2, "x", 3, "y", 4, "y")).workers())
                .isEqualTo(2);
    }
}
