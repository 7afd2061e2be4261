package io.updraft.servers;

import org.apache.zookeeper.server.ZooKeeperServerMain;

/** The main of ZooKeeper's JVM. */
final class ZooKeeperMain {

    private ZooKeeperMain() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments the file of the configuration
     */
    public static void main(String[] arguments) {
        ZooKeeperServerMain.main(arguments);
    }
}
