package io.updraft.transport.contract;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Programs that connect to an open port and send nothing, garbage, or valid messages of a wrong version. */
final class ForeignSockets implements AutoCloseable {

    private static final byte REFUSE = 3;
    private static final int HELLO_BYTES = 60;

    private final Transport transport;
    private final TransportOwner owner;
    private final List<Stranger> channels = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();

    ForeignSockets(Transport transport) {
        this.transport = transport;
        owner = new TransportOwner(transport);
    }

    /** Opens channels that say one thing each, and nothing at all after it. */
    void talk(Address to, int many, SplittableRandom random) throws Exception {
        for (int i = 0; i < many; i++) {
            Stranger unauthenticatedPeer = new Stranger(nonsense(i % 7, random));
            channels.add(unauthenticatedPeer);
            owner.run(() -> transport.connect(to, unauthenticatedPeer));
        }
    }

    /** Opens channels that say nothing. */
    void keepSilent(Address to, int many) throws Exception {
        for (int i = 0; i < many; i++) {
            Stranger unauthenticatedPeer = new Stranger(null);
            channels.add(unauthenticatedPeer);
            owner.run(() -> transport.connect(to, unauthenticatedPeer));
        }
    }

    /** Waits until each has been shown the door. */
    void awaitTheirEnd() throws Exception {
        owner.until(
                "unauthenticated peers are turned away", () -> channels.stream().allMatch(ChannelRecorder::isClosed));
    }

    /** {@return how many got in so far that they could say something} */
    int opened() throws Exception {
        return owner.call(
                () -> (int) channels.stream().filter(ChannelRecorder::isOpened).count());
    }

    List<Stranger> channels() {
        return channels;
    }

    /** Connects past the transport: some say nonsense and go or stay, some send half of what they announce, some are silent. */
    void connectRaw(Address to, int many, SplittableRandom random) throws IOException {
        for (int i = 0; i < many; i++) {
            Socket socket = new Socket();
            sockets.add(socket);
            try {
                socket.connect(new InetSocketAddress(to.host(), to.port()), 2_000);
                byte[] bytes = raw(i % 4, random);
                socket.getOutputStream().write(bytes);
                if (random.nextBoolean()) {
                    socket.close();
                }
            } catch (IOException e) {
                socket.close(); // turned away already
            }
        }
    }

    private static byte[] raw(int kind, SplittableRandom random) {
        byte[] bytes = random(random, kind == 0 ? 0 : 1 + random.nextInt(3_000));
        if (kind >= 2) {
            // A length that may be one of a frame, and less than it says; or far too much.
            ByteBuffer.wrap(bytes.length < 4 ? bytes = new byte[4] : bytes)
                    .putInt(kind == 2 ? bytes.length + 1_000 : Integer.MAX_VALUE - random.nextInt(100));
        }
        return bytes;
    }

    /** Sends datagrams of nonsense. */
    static void sendRaw(Address to, int many, SplittableRandom random) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < many; i++) {
                byte[] bytes = random(random, random.nextInt(1_400));
                socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(to.host(), to.port())));
            }
        }
    }

    private static byte[] nonsense(int kind, SplittableRandom random) {
        return switch (kind) {
            case 0 -> random(random, 1 + random.nextInt(900));
            case 1 -> hello(1, random).array();
            case 2 -> hello(2, random).array();
            case 3 -> java.util.Arrays.copyOf(hello(1, random).array(), random.nextInt(1, HELLO_BYTES));
            case 4 -> new byte[] {REFUSE, 9, 0, 1, 'x'};
            case 5 -> new byte[] {5, 4, 0, 0, 0, 1, 2, 3}; // the first part of a frame of 64 MiB
            default -> new byte[] {(byte) random.nextInt(256)};
        };
    }

    /** A good beginning, in some version of the protocol; no proof follows. */
    private static ByteBuffer hello(int version, SplittableRandom random) {
        byte[] topology = "chaos".getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + 4 + 2 + 1 + 1 + 32 + 4 + 8 + 8 + 2 + topology.length)
                .put((byte) 1)
                .putInt(0x55504452)
                .putShort((short) version)
                .put((byte) 1)
                .put((byte) 1)
                .put(random(random, 32))
                .putInt(0)
                .putLong(99)
                .putLong(99)
                .putShort((short) topology.length)
                .put(topology);
    }

    private static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        owner.close();
    }

    /** Says one thing, or nothing. */
    static final class Stranger extends ChannelRecorder {

        private final byte[] words;

        Stranger(byte[] words) {
            this.words = words;
        }

        @Override
        protected void opened() {
            if (words != null) {
                channel().offer(ByteBuffer.wrap(words));
                channel().flush();
            }
        }
    }
}
