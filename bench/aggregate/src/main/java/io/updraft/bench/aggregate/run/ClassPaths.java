package io.updraft.bench.aggregate.run;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What child JVMs load: what this JVM does, and before that for peers the Kafka client that their Kafka Streams was made with. */
final class ClassPaths {

    private ClassPaths() {}

    static String updraft() {
        return System.getProperty("java.class.path");
    }

    static String peers() {
        return client() + File.separator + "*" + File.pathSeparator + updraft();
    }

    private static Path client() {
        try {
            Path classes = Path.of(ClassPaths.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path client = classes.resolveSibling("peers");
            if (!Files.isDirectory(client)) {
                throw new IllegalStateException("the peers' Kafka client is missing in " + client
                        + ": build the module bench/aggregate with Maven");
            }
            return client;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
