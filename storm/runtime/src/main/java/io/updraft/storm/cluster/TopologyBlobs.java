package io.updraft.storm.cluster;

import io.updraft.storm.blob.LinkedBlobs;
import io.updraft.storm.blob.NimbusBlobs;
import io.updraft.storm.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.thrift.TException;

/**
 * The blobs that one topology has from Nimbus, from its submission to its end; the directory is null if it has none.
 */
record TopologyBlobs(Path directory, Map<String, Object> conf, Runnable whenGone) {

    static TopologyBlobs of(NimbusBlobs store, Map<String, Object> conf, Map<String, Object> beneath, Runnable whenGone)
            throws TException {
        Path directory = store == null || beneath.get(LinkedBlobs.DIRECTORY) != null ? null : store.link(conf);
        if (directory == null) {
            return new TopologyBlobs(null, conf, whenGone);
        }
        Map<String, Object> all = new HashMap<>(conf);
        all.put(LinkedBlobs.DIRECTORY, directory.toString());
        return new TopologyBlobs(directory, all, () -> {
            try {
                whenGone.run();
            } finally {
                remove(directory);
            }
        });
    }

    void discard() {
        remove(directory);
    }

    private static void remove(Path directory) {
        if (directory == null) {
            return;
        }
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the blobs of a topology from " + directory, e);
        }
    }
}
