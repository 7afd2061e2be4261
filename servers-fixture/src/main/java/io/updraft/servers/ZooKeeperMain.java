package io.updraft.servers;

import org.apache.zookeeper.server.ZooKeeperServerMain;

/** The main class of ZooKeeper's JVM. */
final class ZooKeeperMain {

    private ZooKeeperMain() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments the configuration file
     */
    public static void main(String[] arguments) {
        ZooKeeperServerMain.main(arguments);
    }
}
