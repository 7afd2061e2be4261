package io.updraft.bench.cluster;

import io.updraft.stormcluster.StormClusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells what went wrong with the cluster: one line for people, and a file with the logs, which go with the cluster. */
final class FailureReport {

    private FailureReport() {}

    static IllegalStateException of(StormClusterException e) {
        return new IllegalStateException(e.summary() + "; " + keep(e.getMessage()), e);
    }

    private static String keep(String logs) {
        try {
            Path file = Files.writeString(Files.createTempFile("storm-cluster-", ".log"), logs);
            return "the logs of its processes are in " + file;
        } catch (IOException e) {
            return "its logs could not be kept: " + e;
        }
    }
}
