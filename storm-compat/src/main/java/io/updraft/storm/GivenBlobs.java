package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.thrift.TException;

/**
 * The blobs of Nimbus that one topology has, from its submission to its end.
 *
 * @param directory a file for each; null if it has none
 * @param conf the topology's configuration, which says where they lie
 * @param whenGone what is to be run when nothing is left of the topology
 */
record GivenBlobs(Path directory, Map<String, Object> conf, Runnable whenGone) {

    /**
     * Lays out what a topology asks for.
     *
     * @param store where blobs are; null for nowhere
     * @param conf the topology's configuration
     * @param beneath the configuration beneath it
     * @param whenGone what else is to be run when nothing is left of the topology
     * @throws TException when it asks for a blob that is not there
     */
    static GivenBlobs of(NimbusBlobs store, Map<String, Object> conf, Map<String, Object> beneath, Runnable whenGone)
            throws TException {
        Path directory = store == null || beneath.get(Blobs.DIRECTORY) != null ? null : store.give(conf);
        if (directory == null) {
            return new GivenBlobs(null, conf, whenGone);
        }
        Map<String, Object> all = new HashMap<>(conf);
        all.put(Blobs.DIRECTORY, directory.toString());
        return new GivenBlobs(directory, all, () -> {
            try {
                whenGone.run();
            } finally {
                remove(directory);
            }
        });
    }

    /** Removes them: the topology was not started. */
    void takeBack() {
        remove(directory);
    }

    private static void remove(Path directory) {
        if (directory == null) {
            return;
        }
        try {
            Trees.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("the blobs of a topology could not be removed from " + directory, e);
        }
    }
}
