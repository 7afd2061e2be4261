package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import java.util.Map;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class RegionsTest {
    @Test
    void shouldPutComponentsOfOneCycleInOneRegion() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("s", Feed.of(1).spout());
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("s").shuffleGrouping("c");
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("a");
        topology.setBolt("c", TestBolt.ack()).shuffleGrouping("b");
        topology.setBolt("d", TestBolt.ack()).shuffleGrouping("c").shuffleGrouping("a");
        Map<String, Object> conf = Map.of();
        Plan plan = Planner.plan("wc", "wc-1", topology.createTopology(), conf, EngineSettings.of(conf));
        Regions regions = Regions.of(plan);
        int a = plan.component("a").index();
        int d = plan.component("d").index();
        int s = plan.component("s").index();
        assertThat(regions.count()).isEqualTo(3);
        assertThat(regions.regionOf(plan.component("b").index())).isEqualTo(regions.regionOf(a));
        assertThat(regions.regionOf(plan.component("c").index())).isEqualTo(regions.regionOf(a));
        assertThat(regions.downstreamOf(a)).containsExactly(regions.regionOf(d));
        assertThat(regions.downstreamOf(plan.component("b").index())).isEmpty();
        assertThat(regions.downstreamOf(s)).containsExactly(regions.regionOf(a));
        assertThat(regions.downstreamOf(d)).isEmpty();
    }
}
