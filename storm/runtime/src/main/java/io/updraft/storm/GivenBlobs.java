package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.thrift.TException;

/**
 * The blobs that one topology has from Nimbus, from its submission to its end.
 *
 * @param directory the directory with a file for each blob; null if the topology has none
 */
record GivenBlobs(Path directory, Map<String, Object> conf, Runnable whenGone) {

    /**
     * Copies or links the blobs of a topology into a directory.
     *
     * @param store the store of blobs; null if there is none
     * @throws TException when a blob does not exist
     */
    static GivenBlobs of(NimbusBlobs store, Map<String, Object> conf, Map<String, Object> beneath, Runnable whenGone)
            throws TException {
        Path directory = store == null || beneath.get(Blobs.DIRECTORY) != null ? null : store.link(conf);
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

    /** Removes the blobs of a topology that was not started. */
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
            throw new UncheckedIOException("cannot remove the blobs of a topology from " + directory, e);
        }
    }
}
