package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.storm.context.LinkedBlobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.InputStreamWithMeta;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storm's own blob client against the port, and topologies with blobs. */
class NimbusBlobsTest {
    private static final int LIMIT_MB = 2;

    private final UpdraftCluster cluster = new UpdraftCluster.Builder()
            .withDaemonConf(NimbusBlobs.LIMIT, LIMIT_MB)
            .build();
    private NimbusPort port;
    private ClientBlobStore blobs;

    @TempDir
    private Path state;

    @TempDir
    private Path working;

    @BeforeEach
    void open() throws IOException {
        port = NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), state);
        Map<String, Object> conf = Utils.readStormConfig();
        conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        conf.put(Config.NIMBUS_THRIFT_PORT, port.address().getPort());
        blobs = new NimbusBlobStore();
        blobs.prepare(conf);
    }

    @AfterEach
    void close() {
        closePort();
        cluster.close();
    }

    private void closePort() {
        blobs.shutdown();
        port.close();
    }

    @Test
    void shouldKeepBlobsFromOneServerToTheNext() throws Exception {
        create("a key.with_all-1", "first");
        try (OutputStream out = blobs.updateBlob("a key.with_all-1")) {
            out.write("second".getBytes(StandardCharsets.UTF_8));
        }
        SettableBlobMeta described = new SettableBlobMeta(List.of(new AccessControl(AccessControlType.OTHER, 7)));
        blobs.setBlobMeta("a key.with_all-1", described);
        long version = blobs.getBlobMeta("a key.with_all-1").get_version();

        closePort();
        open();

        assertThat(blobs.listKeys()).toIterable().containsExactly("a key.with_all-1");
        assertThat(read("a key.with_all-1")).isEqualTo("second");
        assertThat(blobs.getBlobMeta("a key.with_all-1").get_version()).isEqualTo(version);
        assertThat(blobs.getBlobMeta("a key.with_all-1").get_settable().get_acl())
                .isEqualTo(described.get_acl());
        assertThat(blobs.getBlobReplication("a key.with_all-1")).isEqualTo(1);
        assertThatThrownBy(() -> create("a key.with_all-1", "third")).isInstanceOf(KeyAlreadyExistsException.class);
        blobs.deleteBlob("a key.with_all-1");
        create("a key.with_all-1", "fourth");
        assertThat(blobs.getBlobMeta("a key.with_all-1").get_version()).isGreaterThan(version);
    }

    @Test
    void shouldGiveATopologyItsBlobsAsTheyWereWhenItWasSubmitted() throws Exception {
        create("words.txt", "storm updraft");
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_BLOBSTORE_MAP,
                Map.of("words.txt", Map.of("localname", "words")),
                LinkedBlobs.WORKING_DIRECTORY,
                working.toString());
        RunningComponents.reset(() -> {});

        cluster.submitTopology("reads", conf, RunningComponents.numbers());
        blobs.deleteBlob("words.txt");

        assertThat(working.resolve("words")).hasContent("storm updraft");
        cluster.killTopology("reads");
        assertThat(working).isEmptyDirectory();
        assertThat(state.resolve("blobs/given")).isEmptyDirectory();
        assertThatThrownBy(() -> cluster.submitTopology("reads", conf, RunningComponents.numbers()))
                .isInstanceOfSatisfying(
                        InvalidTopologyException.class,
                        refusal -> assertThat(refusal.get_msg())
                                .isEqualTo("topology.blobstore.map names blob 'words.txt', which does not exist;"
                                        + " existing blobs: []"));
    }

    @Test
    void shouldBeThereForProgramsOfThisProcessToo() throws Exception {
        create("dictionary", "a b");
        Nimbus.Iface inProcess = LocalNimbus.of(cluster);

        String session = inProcess.beginBlobDownload("dictionary").get_session();

        assertThat(StandardCharsets.UTF_8
                        .decode(inProcess.downloadBlobChunk(session))
                        .toString())
                .isEqualTo("a b");
    }

    @Test
    void shouldRefuseABlobForWhichThereIsNoRoomAndKeepNothingOfIt() throws Exception {
        create("small", "here");

        assertThatThrownBy(() -> {
                    try (OutputStream out = blobs.createBlob("large", noList())) {
                        out.write(new byte[LIMIT_MB * 1024 * 1024]);
                    }
                })
                .hasStackTraceContaining("all blobs together would exceed updraft.blobs.limit.mb (2 MB)");

        assertThat(state.resolve("blobs/incoming")).isEmptyDirectory();
        create("large", "a little");
        assertThat(blobs.listKeys()).toIterable().containsExactly("large", "small");
    }

    @Test
    void shouldRefuseADirectoryThatAnotherServerUses() {
        assertThatThrownBy(() ->
                        NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), state))
                .isInstanceOf(IOException.class)
                .hasMessage("another server uses the blobs in " + state.resolve("blobs")
                        + "; set blobstore.dir to another directory for this server");
    }

    @Test
    void shouldForgetWhatWasHalfDoneWhenTheProcessEnded() throws Exception {
        create("whole", "as it was");
        closePort();
        Path keys = state.resolve("blobs/keys");
        Path half = Files.createDirectory(keys.resolve("half"));
        Files.writeString(half.resolve("data-7"), "never finished");
        Files.writeString(keys.resolve("whole").resolve("data-8"), "not renamed");
        Files.writeString(state.resolve("blobs/incoming/blob-1"), "not sent");

        open();

        assertThat(blobs.listKeys()).toIterable().containsExactly("whole");
        assertThat(read("whole")).isEqualTo("as it was");
        assertThat(half).doesNotExist();
        assertThat(keys.resolve("whole").resolve("data-8")).doesNotExist();
        assertThat(state.resolve("blobs/incoming")).isEmptyDirectory();
    }

    private void create(String key, String content) throws Exception {
        try (OutputStream out = blobs.createBlob(key, noList())) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }

    private String read(String key) throws Exception {
        try (InputStreamWithMeta in = blobs.getBlob(key)) {
            return new String(((InputStream) in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SettableBlobMeta noList() {
        return new SettableBlobMeta(List.of());
    }
}
