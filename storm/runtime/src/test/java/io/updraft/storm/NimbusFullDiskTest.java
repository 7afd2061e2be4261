package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nimbus' port and Storm's clients in a JVM of its own, with a disk of 2 MiB. Where no such disk can be mounted, the size of
 * files is limited instead, which fails in the same places except one.
 */
class NimbusFullDiskTest {
    private static final String MARK = "said: ";
    private static final int TOO_MUCH = 4 << 20;
    private static final int PAGE = 4096;

    @TempDir
    Path folder;

    @Test
    void shouldSayThatThereIsNoRoomLeaveNothingHalfWrittenAndGoOn() throws Exception {
        boolean disk = shell("unshare -rm mount -t tmpfs none " + folder).waitFor() == 0;
        String full = disk ? "No space left on device" : "File too large";

        List<String> said = child(disk);

        String gone = ", removed the file: " + full;
        assertThat(said).hasSize(disk ? 10 : 6);
        assertThat(said.subList(0, 6))
                .satisfiesExactly(
                        small -> assertThat(small).isEqualTo("small is kept"),
                        large -> assertThat(large).contains("IOException: cannot write the upload to ", gone),
                        update -> assertThat(update).contains("IOException: cannot write the upload to ", gone),
                        jar -> assertThat(jar).contains("IOException: cannot write the upload to ", gone),
                        left -> assertThat(left).isEqualTo("[small] small=100000 [] []"),
                        last -> assertThat(last).isEqualTo("later is kept"));
        if (disk) {
            assertThat(said.subList(6, 10))
                    .satisfiesExactly(
                            tiny -> assertThat(tiny).contains("blob 'tiny' cannot be stored: ", full),
                            update -> assertThat(update).contains("blob 'small' cannot be stored: ", full),
                            left -> assertThat(left).isEqualTo("[later, small] small=100000 [] []"),
                            last -> assertThat(last).isEqualTo("tiny is kept"));
        }
    }

    private static Process shell(String command) throws IOException {
        return new ProcessBuilder("bash", "-c", command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private List<String> child(boolean disk) throws Exception {
        String limited = disk
                ? "exec unshare -rm bash -c 'mount -t tmpfs -o size=2m none \"$0\" && exec \"$@\"' \"$0\" \"$@\""
                : "ulimit -f 2048; exec \"$@\"";
        List<String> command = new ArrayList<>(List.of("bash", "-c", limited, folder.toString()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + folder));
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.addAll(List.of(NimbusFullDiskTest.class.getName(), folder.toString(), String.valueOf(disk)));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        return output.lines()
                .filter(line -> line.startsWith(MARK))
                .map(line -> line.substring(MARK.length()))
                .toList();
    }

    /** The child: takes its folder, and whether it is a disk of its own. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (UpdraftCluster cluster = new UpdraftCluster();
                NimbusPort port = NimbusPort.open(
                        cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder.resolve("state"))) {
            Map<String, Object> conf = Utils.readStormConfig();
            conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
            conf.put(Config.NIMBUS_THRIFT_PORT, port.address().getPort());
            ClientBlobStore blobs = new NimbusBlobStore();
            blobs.prepare(conf);
            try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
                FullDisk disk = new FullDisk(folder, port, blobs, nimbus.getClient());
                disk.sendMoreThanThereIsRoomFor();
                if (Boolean.parseBoolean(arguments[1])) {
                    disk.sendWhatLeavesNoRoomForItsDescription();
                }
            } finally {
                blobs.shutdown();
            }
        }
    }

    private record FullDisk(Path folder, NimbusPort port, ClientBlobStore blobs, Nimbus.Iface nimbus) {

        void sendMoreThanThereIsRoomFor() throws Exception {
            say("small is kept", () -> create("small", 100_000));
            say("there was room", () -> create("large", TOO_MUCH));
            say("there was room", () -> write(blobs.updateBlob("small"), TOO_MUCH));
            say("there was room", this::sendJar);
            sayWhatIsThere();
            say("later is kept", () -> create("later", 100_000));
        }

        /** The contents take the last page. */
        void sendWhatLeavesNoRoomForItsDescription() throws Exception {
            Path filler = folder.resolve("filler");
            try (FileChannel file = FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                try {
                    while (file.size() < TOO_MUCH) {
                        file.write(ByteBuffer.allocate(PAGE));
                    }
                } catch (IOException full) {
                    file.truncate(file.size() / PAGE * PAGE - PAGE);
                }
            }
            say("there was room", () -> create("tiny", 10));
            say("there was room", () -> write(blobs.updateBlob("small"), 10));
            sayWhatIsThere();
            Files.delete(filler);
            say("tiny is kept", () -> create("tiny", 10));
        }

        private void create(String key, int bytes) throws Exception {
            write(blobs.createBlob(key, new SettableBlobMeta(List.of())), bytes);
        }

        private static void write(OutputStream to, int bytes) throws IOException {
            try (to) {
                to.write(new byte[bytes]);
            }
        }

        private void sendJar() throws Exception {
            String location = nimbus.beginFileUpload();
            for (int sent = 0; sent < TOO_MUCH; sent += TOO_MUCH / 16) {
                nimbus.uploadChunk(location, ByteBuffer.allocate(TOO_MUCH / 16));
            }
            nimbus.finishFileUpload(location);
        }

        /** Blobs, how long one is, and what is in the directories of what is being sent. */
        private void sayWhatIsThere() throws Exception {
            List<String> keys = new ArrayList<>();
            blobs.listKeys().forEachRemaining(keys::add);
            List<String> directories = namesIn(folder.resolve("state/blobs/keys"));
            int small;
            try (InputStream in = blobs.getBlob("small")) {
                small = in.readAllBytes().length;
            }
            boolean same = keys.equals(directories);
            System.out.println(MARK + (same ? keys : keys + " but " + directories) + " small=" + small + " "
                    + namesIn(folder.resolve("state/blobs/incoming")) + " " + namesIn(port.directory()));
        }

        private static List<String> namesIn(Path directory) throws IOException {
            try (Stream<Path> files = Files.list(directory)) {
                return files.map(file -> file.getFileName().toString()).sorted().toList();
            }
        }

        private interface Sending {
            void run() throws Exception;
        }

        private static void say(String done, Sending sending) {
            try {
                sending.run();
                System.out.println(MARK + done);
            } catch (Exception e) {
                List<Throwable> causes = Stream.iterate((Throwable) e, each -> each != null, Throwable::getCause)
                        .toList();
                String message = String.valueOf(causes.get(causes.size() - 1).getMessage());
                System.out.println(MARK + message.replace("\n", "\\n"));
            }
        }
    }
}
