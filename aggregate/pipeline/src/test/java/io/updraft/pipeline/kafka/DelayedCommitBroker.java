package io.updraft.pipeline.kafka;

import io.updraft.servers.FreePorts;
import io.updraft.servers.KafkaServer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A Kafka broker whose answers to the ends of transactions come late: it has committed long before it says so. */
final class DelayedCommitBroker implements AutoCloseable {

    /** The request that ends a transaction, in Kafka's protocol. */
    private static final int END_TRANSACTION = 26;

    private final ServerSocket listener;
    private final KafkaServer kafka;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger late = new AtomicInteger();
    private volatile CountDownLatch answer = new CountDownLatch(0);

    DelayedCommitBroker() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        int port = new FreePorts().next();
        start("accept", () -> {
            while (true) {
                serve(listener.accept(), port);
            }
        });
        kafka = KafkaServer.builder()
                .port(port)
                .config("advertised.listeners", "BROKER://127.0.0.1:" + listener.getLocalPort())
                .start();
    }

    KafkaServer kafka() {
        return kafka;
    }

    /** From now on ends of transactions are not answered before {@link #answer}. */
    void hold() {
        answer = new CountDownLatch(1);
    }

    void answer() {
        answer.countDown();
    }

    /** How many answers were late. */
    int late() {
        return late.get();
    }

    private void serve(Socket client, int port) throws IOException {
        Socket broker = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(client);
        sockets.add(broker);
        Set<Integer> ends = ConcurrentHashMap.newKeySet();
        start("requests", () -> {
            forward(client, broker, request -> {
                if (request.getShort(0) == END_TRANSACTION) {
                    ends.add(request.getInt(4));
                }
            });
        });
        start("answers", () -> {
            forward(broker, client, frame -> {
                CountDownLatch held = answer;
                if (ends.remove(frame.getInt(0)) && held.getCount() > 0) {
                    late.incrementAndGet();
                    held.await();
                }
            });
        });
    }

    private interface Look {
        void at(ByteBuffer frame) throws InterruptedException;
    }

    private static void forward(Socket from, Socket to, Look look) throws IOException, InterruptedException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            while (true) {
                byte[] frame = new byte[Integer.BYTES + in.readInt()];
                ByteBuffer.wrap(frame).putInt(frame.length - Integer.BYTES);
                in.readFully(frame, Integer.BYTES, frame.length - Integer.BYTES);
                look.at(ByteBuffer.wrap(frame, Integer.BYTES, frame.length - Integer.BYTES)
                        .slice());
                out.write(frame);
            }
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One side has closed the connection.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "late-answers-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        answer();
        kafka.close();
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
