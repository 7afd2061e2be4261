package io.updraft.storm;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Which user of this host is at the other end of a TCP connection: Linux says it in its tables of sockets, {@code /proc/net/tcp} and
 * {@code tcp6} (proc(5)).
 */
final class PeerUser {

    private static final Pattern SPACES = Pattern.compile(" +");

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;

    private static final String ESTABLISHED = "01";

    /** What an IPv6 socket that speaks IPv4 has before its address. */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private final Path tables;

    /**
     * Reads tables of sockets.
     *
     * @param tables the directory with {@code tcp} and {@code tcp6}
     */
    PeerUser(Path tables) {
        this.tables = tables;
    }

    static PeerUser ofThisHost() {
        return new PeerUser(Path.of("/proc/net"));
    }

    /** Whether this system has the tables. */
    boolean isKnown() {
        return Files.isReadable(tables.resolve("tcp"));
    }

    /**
     * The user id of the process that opened the other end. Empty if the other end is on another host, or was closed: the kernel
     * gives the sockets that a process has left behind to root.
     *
     * @param peer the other end's address
     * @param own this end's
     */
    OptionalInt of(InetSocketAddress peer, InetSocketAddress own) throws IOException {
        OptionalInt user = OptionalInt.empty();
        if (peer.getAddress() instanceof Inet4Address) {
            user = find("tcp", hex(peer), hex(own));
        }
        return user.isPresent() ? user : find("tcp6", hex6(peer), hex6(own));
    }

    private OptionalInt find(String table, String local, String remote) throws IOException {
        Path file = tables.resolve(table);
        if (!Files.isReadable(file)) {
            return OptionalInt.empty();
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] socket = SPACES.split(line.strip());
                if (socket.length > INODE
                        && socket[LOCAL].equals(local)
                        && socket[REMOTE].equals(remote)
                        && socket[STATE].equals(ESTABLISHED)
                        && !socket[INODE].equals("0")) {
                    return OptionalInt.of((int) Long.parseLong(socket[UID]));
                }
            }
        }
        return OptionalInt.empty();
    }

    private static String hex(InetSocketAddress address) {
        return hex(address.getAddress().getAddress(), address.getPort());
    }

    private static String hex6(InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        if (address.getAddress() instanceof Inet4Address) {
            bytes = ByteBuffer.allocate(MAPPED.length + bytes.length)
                    .put(MAPPED)
                    .put(bytes)
                    .array();
        }
        return hex(bytes, address.getPort());
    }

    /** Words of four bytes, each printed as the host's number. */
    private static String hex(byte[] address, int port) {
        ByteBuffer in = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder text = new StringBuilder();
        HexFormat upper = HexFormat.of().withUpperCase();
        while (in.hasRemaining()) {
            text.append(upper.toHexDigits(in.getInt()));
        }
        return text.append(':').append(upper.toHexDigits((short) port)).toString();
    }
}
