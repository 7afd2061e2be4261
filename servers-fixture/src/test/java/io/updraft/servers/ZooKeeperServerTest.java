package io.updraft.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class ZooKeeperServerTest {

    @Test
    void shouldKeepItsPortAndItsDataOverAKill() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            ZooKeeper before = connect(server);
            before.create("/kept", new byte[] {7}, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            before.close();
            server.kill();
            server.startAgain();
            ZooKeeper after = connect(server);
            assertThat(after.getData("/kept", false, null)).containsExactly(7);
            after.close();
        }
    }

    private static ZooKeeper connect(ZooKeeperServer server) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(server.address(), 60_000, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();
        return client;
    }
}
