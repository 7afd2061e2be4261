package io.updraft.storm.thrift;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Finds the user of a connection's end in Linux's socket tables, {@code /proc/net/tcp} and {@code tcp6} (proc(5)). Used where
 * {@link SocketDiagnostics} is not available.
 *
 * <p>The kernel takes milliseconds to print the tables. One read therefore serves all callers that wait for it. Safe to use
 * from any thread.
 */
final class SocketTables implements PeerUser {

    private static final Pattern SPACES = Pattern.compile(" +");

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int UID = 7;
    private static final int INODE = 9;

    private static final String ESTABLISHED = "01";

    /** The number of attempts: the kernel may skip a socket while others come and go. */
    private static final int ATTEMPTS = 3;

    /** The prefix of an IPv4 address in an IPv6 socket. */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private final Path tables;

    /** The users of connected sockets, by both addresses, the socket's own address first; guarded by this. */
    private Map<String, Integer> users;

    /** Guarded by this. */
    private int reads;

    /** The start of the last read, of {@link System#nanoTime}; guarded by this. */
    private long readAt;

    SocketTables(Path tables) {
        this.tables = tables;
    }

    boolean exist() {
        return Files.isReadable(tables.resolve("tcp"));
    }

    @Override
    public OptionalInt of(InetSocketAddress peer, InetSocketAddress own) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Map<String, Integer> users = readSince(System.nanoTime());
            Integer user = users.get(hex6(peer) + " " + hex6(own));
            if (user == null && peer.getAddress() instanceof Inet4Address) {
                user = users.get(hex(peer) + " " + hex(own));
            }
            if (user != null) {
                return OptionalInt.of(user);
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the tables as of the given time or later. Callers that waited during a read share the result of the next one. */
    private synchronized Map<String, Integer> readSince(long requested) throws IOException {
        if (users == null || readAt - requested < 0) {
            readAt = System.nanoTime();
            reads++;
            users = new HashMap<>();
            read("tcp");
            read("tcp6");
        }
        return users;
    }

    synchronized int reads() {
        return reads;
    }

    private void read(String table) throws IOException {
        Path file = tables.resolve(table);
        if (!Files.isReadable(file)) {
            return;
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] socket = SPACES.split(line.strip());
                if (socket.length > INODE && socket[STATE].equals(ESTABLISHED) && !socket[INODE].equals("0")) {
                    users.put(socket[LOCAL] + " " + socket[REMOTE], (int) Long.parseLong(socket[UID]));
                }
            }
        }
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

    /** Formats words of four bytes, each as a number in the host's byte order. */
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
