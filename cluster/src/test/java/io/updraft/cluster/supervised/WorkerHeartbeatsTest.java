package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.utils.Time;
import org.junit.jupiter.api.Test;

final class WorkerHeartbeatsTest {

    @Test
    void shouldGiveEachHeartbeatAllItsFields() throws Exception {
        WorkerArguments arguments = new WorkerArguments("words-1-2", "supervisor", 6627, 6700, "worker");
        int before = Time.currentTimeSecs();
        LSWorkerHeartbeat local = WorkerHeartbeats.local(arguments, List.of(new ExecutorInfo(1, 2)));
        local.validate();
        assertThat(local.get_time_secs()).isBetween(before, before + 60);
        assertThat(local)
                .isEqualTo(new LSWorkerHeartbeat(
                        local.get_time_secs(), "words-1-2", List.of(new ExecutorInfo(1, 2)), 6700));

        assertThat(WorkerHeartbeats.forNimbus(local)).satisfies(passed -> {
            passed.validate();
            assertThat(passed.get_time_secs()).isEqualTo(local.get_time_secs());
            assertThat(passed.get_storm_id()).isEqualTo("words-1-2");
            assertThat(passed.get_executors()).containsExactly(new ExecutorInfo(1, 2));
        });

        ClusterWorkerHeartbeat statistics = WorkerHeartbeats.withStatistics("words-1-2", Map.of(), 17);
        statistics.validate();
        assertThat(statistics.get_time_secs()).isBetween(before, before + 60);
        assertThat(statistics.get_uptime_secs()).isEqualTo(17);
    }
}
