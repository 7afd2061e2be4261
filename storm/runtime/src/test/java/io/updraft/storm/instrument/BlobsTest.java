package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobsTest {
    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    @TempDir
    private Path store;

    @TempDir
    private Path working;

    private Map<String, Object> conf(Map<String, Object> blobs) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_BLOBSTORE_MAP, blobs);
        conf.put("updraft.blobs.dir", store.toString());
        conf.put("updraft.working.dir", working.toString());
        return conf;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As somebody says it who stands beside it: its name begins with a dot. */
    @Test
    void shouldUnpackToAWorkingDirectoryThatIsGivenFromHere() throws Exception {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(store.resolve("model.zip")))) {
            zip.putNextEntry(new ZipEntry("inner/weights.txt"));
            zip.write("42".getBytes());
        }
        Path here = Path.of("").toAbsolutePath().relativize(working.toAbsolutePath());
        Map<String, Object> conf = conf(Map.of("model.zip", Map.of("localname", "model", "uncompress", true)));
        conf.put("updraft.working.dir", "./" + here);
        QueueTopology.reset(QueueTopology::passOn);

        QueueTopology.submit(cluster, "relative", conf);

        assertThat(working.resolve("model/inner/weights.txt")).hasContent("42");
    }

    @Test
    void shouldPutBlobsIntoTheWorkingDirectoryWhileTheTopologyRuns() throws Exception {
        Files.writeString(store.resolve("words"), "alpha beta");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(store.resolve("model.zip")))) {
            zip.putNextEntry(new ZipEntry("inner/weights.txt"));
            zip.write("42".getBytes());
        }
        AtomicReference<String> seen = new AtomicReference<>();
        AtomicReference<Map<String, Long>> versions = new AtomicReference<>();
        QueueTopology.reset(QueueTopology::passOn);
        QueueTopology.onPrepare((context, out) -> {
            seen.set(read(working.resolve("words.txt")) + " " + read(working.resolve("model/inner/weights.txt")));
            versions.set(context.getBlobToLastKnownVersion());
        });
        QueueTopology.MESSAGES.add(new Values(1, "text"));
        QueueTopology.submit(
                cluster,
                "blobs",
                conf(Map.of(
                        "words",
                        Map.of("localname", "words.txt"),
                        "model.zip",
                        Map.of("localname", "model", "uncompress", true))));
        Await.until("it runs", () -> QueueTopology.ACKED.size() == 1);

        assertThat(seen).hasValue("alpha beta 42");
        assertThat(versions.get())
                .containsEntry(
                        "words",
                        Files.getLastModifiedTime(store.resolve("words")).toMillis())
                .containsOnlyKeys("words", "model.zip");
        cluster.close();
        assertThat(working).isEmptyDirectory();
        assertThat(store.resolve("words")).hasContent("alpha beta");
    }

    @Test
    void shouldRefuseBlobsThatAreNotThereOrWhosePlaceIsTaken() throws Exception {
        Files.writeString(store.resolve("words"), "alpha");
        Files.writeString(working.resolve("taken"), "somebody's");
        QueueTopology.reset(QueueTopology::passOn);

        assertRefused(
                conf(Map.of("missing", Map.of())),
                "blob 'missing'",
                store.resolve("missing").toString());
        assertRefused(conf(Map.of("words", Map.of("localname", "taken"))), "blob 'words'", "another file is there");
        assertRefused(conf(Map.of("words", Map.of("localname", "../out"))), "points outside of");
        Map<String, Object> nowhere = conf(Map.of("words", Map.of()));
        nowhere.remove("updraft.blobs.dir");
        assertRefused(nowhere, "set updraft.blobs.dir");
        assertThat(working.resolve("taken")).hasContent("somebody's");
    }

    @Test
    void shouldTakeThePlaceOfAProcessThatWasKilledAndOfNoneThatLives() throws Exception {
        Files.writeString(store.resolve("words"), "alpha beta");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(store.resolve("model.zip")))) {
            zip.putNextEntry(new ZipEntry("weights.txt"));
            zip.write("42".getBytes());
        }
        Map<String, Object> conf = conf(Map.of(
                "words", Map.of("localname", "words"),
                "model.zip", Map.of("localname", "model", "uncompress", true)));
        QueueTopology.reset(QueueTopology::passOn);
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        BlobTopologyProcess.class.getName(),
                        store.toString(),
                        working.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().lines().anyMatch("runs"::equals)).isTrue();
            assertThat(working.resolve("model/weights.txt")).hasContent("42");
            assertRefused(
                    conf,
                    "blob 'model.zip' belongs at " + working.resolve("model") + ", but process " + other.pid()
                            + " has a blob of its own there: give the blob another localname,"
                            + " or set updraft.working.dir");
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(working.resolve("model/weights.txt")).hasContent("42");

        QueueTopology.submit(cluster, "next", conf);

        assertThat(working.resolve("model/weights.txt")).hasContent("42");
        assertThat(working.resolve("words")).hasContent("alpha beta");
        assertRefused(conf, "but this process has a blob of its own there");
        cluster.close();
        assertThat(working).isEmptyDirectory();
    }

    private void assertRefused(Map<String, Object> conf, String... words) {
        assertThatThrownBy(() -> QueueTopology.submit(cluster, "wrong", conf))
                .isInstanceOf(InvalidTopologyException.class)
                .extracting(e -> ((InvalidTopologyException) e).get_msg())
                .asString()
                .contains(words);
    }
}
