package io.updraft.storm.thrift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both implementations of {@link PeerUser}, on real sockets. */
class PeerUserTest {

    static Stream<PeerUser> ways() {
        SocketTables tables = new SocketTables(Path.of("/proc/net"));
        return Stream.concat(
                SocketDiagnostics.isAvailable() ? Stream.of(new SocketDiagnostics()) : Stream.empty(),
                tables.exist() ? Stream.of(tables) : Stream.empty());
    }

    @Test
    void shouldHaveAWayOnLinux() {
        assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "this is no Linux");
        assertThat(PeerUser.ofThisHost()).isPresent();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindTheUserOfThisProcessUntilItCloses(PeerUser users) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress peer;
            InetSocketAddress own;
            try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                peer = (InetSocketAddress) client.getLocalSocketAddress();
                own = (InetSocketAddress) client.getRemoteSocketAddress();
                assertThat(users.of(peer, own)).hasValue(ownUser());
            }
            assertThat(users.of(peer, own)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindASocketThatSpeaksIPv4Only(PeerUser users) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET);
                SocketChannel client = SocketChannel.open(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            client.connect(server.getLocalAddress());
            assertThat(users.of((InetSocketAddress) client.getLocalAddress(), (InetSocketAddress)
                            client.getRemoteAddress()))
                    .hasValue(ownUser());
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindASocketThatSpeaksIPv6(PeerUser users) throws IOException {
        try (ServerSocket server = ipv6();
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            assertThat(users.of((InetSocketAddress) client.getLocalSocketAddress(), (InetSocketAddress)
                            client.getRemoteSocketAddress()))
                    .hasValue(ownUser());
        }
    }

    private static ServerSocket ipv6() throws IOException {
        try {
            return new ServerSocket(0, 1, InetAddress.getByName("::1"));
        } catch (SocketException e) {
            assumeTrue(false, "this host has no IPv6");
            throw e;
        }
    }

    /** Else its user would be that of whoever listens where a client has come from. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldNotTakeAListenerForThePeer(PeerUser users) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress listener = (InetSocketAddress) server.getLocalSocketAddress();
            InetSocketAddress nobody = new InetSocketAddress(listener.getAddress(), 1);
            assertThat(users.of(listener, nobody)).isEmpty();
        }
    }

    private static int ownUser() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }
}
