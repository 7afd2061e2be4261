package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/** A real ZooKeeper server on this host, without an ensemble, in a JVM of its own. */
public final class ZooKeeperServer extends LocalServer {

    private static final int ANSWER_MILLIS = 2_000;

    private ZooKeeperServer() {
        super("zookeeper");
    }

    /** {@return a running server, which accepts session timeouts of 400 ms and more} */
    public static ZooKeeperServer start() {
        return start(new ZooKeeperServer());
    }

    /** {@return the host and port for clients} */
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    List<String> command() {
        // Session timeouts are 2 to 20 ticks by default: a short tick allows short timeouts.
        List<String> lines = List.of(
                "tickTime=200",
                "maxSessionTimeout=60000",
                "dataDir=" + home.root().resolve("data"),
                "clientPort=" + port,
                "clientPortAddress=127.0.0.1",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=ruok");
        try {
            String config = Files.write(home.root().resolve("zoo.cfg"), lines).toString();
            return ServerJvm.command(ServerJvm.LEAN, "org.apache.zookeeper.server.ZooKeeperServerMain", config);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of ZooKeeper", e);
        }
    }

    @Override
    boolean answers() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).equals("imok");
        }
    }
}
