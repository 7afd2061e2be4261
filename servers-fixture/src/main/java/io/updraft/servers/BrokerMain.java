package io.updraft.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * The main class of a broker's JVM: formats the storage if there is none yet, and starts Kafka. One JVM does both, which starts
 * faster.
 */
final class BrokerMain {

    private BrokerMain() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments the properties file, the directory of the storage, and the id of the cluster
     */
    public static void main(String[] arguments) {
        if (!Files.exists(Path.of(arguments[1], "meta.properties"))) {
            // With eligible leader replicas, a partition whose only broker was killed waits for an election. Tests kill
            // brokers.
            String[] format = {
                "format",
                "--cluster-id",
                arguments[2],
                "--config",
                arguments[0],
                "--feature",
                "eligible.leader.replicas.version=0"
            };
            int code = StorageTool.execute(format, System.out);
            if (code != 0) {
                Runtime.getRuntime().exit(code);
            }
        }
        Kafka.main(new String[] {arguments[0]});
    }
}
