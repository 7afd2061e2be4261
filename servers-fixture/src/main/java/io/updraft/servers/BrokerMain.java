package io.updraft.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** The main of a broker's JVM: formats the storage when there is none yet, and starts Kafka. One JVM, for it starts sooner. */
final class BrokerMain {

    private BrokerMain() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments the file of properties, the directory of the storage, and the id of the cluster
     */
    public static void main(String[] arguments) {
        if (!Files.exists(Path.of(arguments[1], "meta.properties"))) {
            // Eligible leader replicas make a partition whose only broker was killed wait for an election; tests kill
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
