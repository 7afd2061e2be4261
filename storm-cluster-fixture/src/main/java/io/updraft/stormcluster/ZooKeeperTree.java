package io.updraft.stormcluster;

import java.util.List;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.storm.shade.org.apache.curator.retry.RetryNTimes;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;

/**
 * The nodes of the cluster's ZooKeeper.
 *
 * @param port the port at which ZooKeeper listens
 */
record ZooKeeperTree(int port) {

    private static final int TRIES = 10;
    private static final int PAUSE_MILLIS = 500;

    /** {@return the names of the children of a path; none if the path does not exist} */
    List<String> children(String path) throws Exception {
        try (CuratorFramework zooKeeper =
                CuratorFrameworkFactory.newClient("localhost:" + port, new RetryNTimes(TRIES, PAUSE_MILLIS))) {
            zooKeeper.start();
            return zooKeeper.getChildren().forPath(path);
        } catch (KeeperException.NoNodeException none) {
            return List.of();
        }
    }
}
