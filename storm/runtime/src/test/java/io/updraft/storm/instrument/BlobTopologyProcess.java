package io.updraft.storm.instrument;

import io.updraft.storm.UpdraftCluster;
import java.util.Map;
import org.apache.storm.Config;

/** A process of its own that runs a topology with blobs until it is killed. */
final class BlobTopologyProcess {
    private BlobTopologyProcess() {}

    /** Takes the directory of the blobs, and that where they are to be; says that it runs, and waits for the end of its input. */
    public static void main(String[] args) throws Exception {
        Map<String, Object> blobs = Map.of(
                "words", Map.of("localname", "words"), "model.zip", Map.of("localname", "model", "uncompress", true));
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            QueueTopology.submit(
                    cluster,
                    "first",
                    Map.of(
                            Config.TOPOLOGY_BLOBSTORE_MAP,
                            blobs,
                            "updraft.blobs.dir",
                            args[0],
                            "updraft.working.dir",
                            args[1]));
            System.out.println("runs");
            if (System.in.read() != -1) {
                throw new IllegalStateException("nobody was to say anything");
            }
        }
    }
}
