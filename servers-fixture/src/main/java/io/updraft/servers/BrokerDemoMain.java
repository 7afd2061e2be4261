package io.updraft.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;

/** The main behind {@code examples/aggregate/broker}: a broker with topics, on a port that people can type, until Ctrl-C. */
final class BrokerDemoMain {

    private BrokerDemoMain() {}

    /**
     * Runs until it is interrupted; its data are gone then.
     *
     * @param arguments the port, and topics as {@code name:partitions}
     * @throws InterruptedException never, since nobody interrupts this thread
     */
    public static void main(String[] arguments) throws InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        if (!isFree(port)) {
            System.err.println("broker: something listens on port " + port + " already; give another one: broker PORT");
            Runtime.getRuntime().exit(2);
        }
        KafkaServer server = KafkaServer.builder().port(port).start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close"));
        for (int i = 1; i < arguments.length; i++) {
            String[] topic = arguments[i].split(":");
            server.createTopic(topic[0], Integer.parseInt(topic[1]), 1);
            System.out.println("topic " + topic[0] + ", " + topic[1] + " partitions");
        }
        System.out.println("Kafka listens on " + server.bootstrap() + " until Ctrl-C; its data are gone then");
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
