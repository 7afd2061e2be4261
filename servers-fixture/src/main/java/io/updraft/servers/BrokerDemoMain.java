package io.updraft.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;

/** The main class of {@code examples/aggregate/broker}: a broker with topics, on a fixed port, until Ctrl-C. */
final class BrokerDemoMain {

    private BrokerDemoMain() {}

    /**
     * Runs until it is interrupted. The data is removed at the end.
     *
     * @param arguments the port, and topics as {@code name:partitions}
     * @throws InterruptedException never, because no thread interrupts this one
     */
    public static void main(String[] arguments) throws InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        if (!isFree(port)) {
            System.err.println("broker: port " + port + " is already in use; choose another port: broker PORT");
            Runtime.getRuntime().exit(2);
        }
        KafkaServer server = KafkaServer.builder().port(port).start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close"));
        for (int i = 1; i < arguments.length; i++) {
            String[] topic = arguments[i].split(":");
            server.createTopic(topic[0], Integer.parseInt(topic[1]), 1);
            System.out.println("topic " + topic[0] + ", " + topic[1] + " partitions");
        }
        System.out.println("Kafka listens on " + server.bootstrap() + " until Ctrl-C; then its data is removed");
        new CountDownLatch(1).await();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
