package io.updraft.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

/** How the harness's configuration becomes that of a topology of Storm's. */
final class TopologyConfTest {

    @Test
    void shouldGiveWorkersTheOptionsOfTheClusterThenThoseOfTheTopology() {
        Map<String, Object> conf = TopologyConf.of(Map.of(
                Config.WORKER_CHILDOPTS,
                " -Xmx512m  -XX:+UseParallelGC ",
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                List.of("-Da=b c")));
        assertThat(conf)
                .containsEntry(Config.TOPOLOGY_WORKER_CHILDOPTS, List.of("-Xmx512m", "-XX:+UseParallelGC", "-Da=b c"))
                .doesNotContainKey(Config.WORKER_CHILDOPTS);
    }

    @Test
    void shouldLeaveTheRestAsItIs() {
        assertThat(TopologyConf.of(Map.of(Config.TOPOLOGY_WORKERS, 2)))
                .containsEntry(Config.TOPOLOGY_WORKERS, 2)
                .containsEntry(Config.TOPOLOGY_WORKER_CHILDOPTS, List.of());
    }
}
