package io.updraft.bench.aggregate.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Builds the class paths of child JVMs: the class path of this JVM and, for other systems, before it the Kafka client version
 * of Kafka Streams.
 */
final class PeerClassPaths {

    private PeerClassPaths() {}

    static String updraft() {
        return System.getProperty("java.class.path");
    }

    static String peers() {
        return client() + File.separator + "*" + File.pathSeparator + updraft();
    }

    private static Path client() {
        Path client = io.updraft.bench.process.BenchClassPaths.placeOf(PeerClassPaths.class)
                .resolveSibling("peers");
        if (!Files.isDirectory(client)) {
            throw new IllegalStateException("the peers' Kafka client is missing in " + client
                    + ": build the module bench/aggregate with Maven");
        }
        return client;
    }
}
