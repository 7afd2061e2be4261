package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerUserTest {
    private static final String HEADER =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    @TempDir
    private Path tables;

    @BeforeEach
    void needWordsInTheOrderOfTheSamples() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the samples are of little-endian hosts");
    }

    @Test
    void shouldFindWhoConnectedByIPv4() throws IOException {
        write(
                "tcp",
                "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 7001 1 0000 20",
                "   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 7002 1 0000 20");

        assertThat(new PeerUser(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .hasValue(1000);
    }

    @Test
    void shouldFindWhoConnectedByASocketForBoth() throws IOException {
        write(
                "tcp",
                "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 7001 1 0000 20");
        write(
                "tcp6",
                "   0: 0000000000000000FFFF00000100007F:9C40 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000 65534        0 7002 1 0 20");

        assertThat(new PeerUser(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .hasValue(65_534);
    }

    @Test
    void shouldNotTakeTheRemainsOfASocketForRoots() throws IOException {
        write(
                "tcp",
                "   1: 0100007F:9C40 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000 20",
                "   2: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0000 20");

        assertThat(new PeerUser(tables).of(at("127.0.0.1", 40_000), at("127.0.0.1", 8_080)))
                .isEmpty();
    }

    @Test
    void shouldFindTheUserOfThisProcess() throws IOException {
        PeerUser users = PeerUser.ofThisHost();
        assumeTrue(users.isKnown(), "this system has no tables of sockets");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress peer;
            InetSocketAddress own;
            try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                peer = (InetSocketAddress) client.getLocalSocketAddress();
                own = (InetSocketAddress) client.getRemoteSocketAddress();
                int uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
                assertThat(users.of(peer, own)).hasValue(uid);
            }
            assertThat(users.of(peer, own)).isEmpty();
        }
    }

    private void write(String table, String... sockets) throws IOException {
        Files.writeString(tables.resolve(table), HEADER + String.join("\n", sockets) + "\n");
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(host, port);
    }
}
