package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TridentZooKeeperTest {
    @AutoClose
    private final TridentZooKeeper zooKeeper = new TridentZooKeeper();

    private final Map<String, Object> base = Utils.readDefaultConfig();

    @Test
    void shouldBeThereForTridentAlone() {
        assertThat(zooKeeper.withAddress(base, Map.of(), RunningComponents.numbers()))
                .isSameAs(base);

        Map<String, Object> conf = zooKeeper.withAddress(base, Map.of(), trident());

        assertThat(conf).containsEntry(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
        assertThat((int) conf.get(Config.TRANSACTIONAL_ZOOKEEPER_PORT)).isPositive();
        assertThat(zooKeeper.withAddress(base, Map.of(), trident())).isEqualTo(conf);
    }

    @Test
    void shouldLeaveATopologyItsOwnZooKeeper() {
        for (Map<String, Object> own : List.<Map<String, Object>>of(
                Map.of(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS, List.of("localhost")),
                Map.of(Config.STORM_ZOOKEEPER_SERVERS, List.of("zk1", "zk2")),
                Map.of(Config.STORM_ZOOKEEPER_PORT, 2182))) {
            assertThat(zooKeeper.withAddress(base, own, trident())).isSameAs(base);
        }
    }

    @SuppressWarnings("unchecked")
    private static StormTopology trident() {
        TridentTopology topology = new TridentTopology();
        topology.newStream("words", new FixedBatchSpout(new Fields("word"), 1));
        return topology.build();
    }
}
