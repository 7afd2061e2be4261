package io.updraft.messaging;

import io.updraft.base.testing.Await;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.session.MessengerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.utils.Utils;

/** The messaging part of a Storm worker: a context, a port, and the received messages. */
final class TestWorker implements AutoCloseable {

    static final String TOPOLOGY = "words-1-1700000000";
    static final String HOST = "localhost";
    static final int TASKS = 10;

    final List<TaskMessage> received = Collections.synchronizedList(new ArrayList<>());
    final AtomicBoolean[] flags =
            Stream.generate(AtomicBoolean::new).limit(TASKS).toArray(AtomicBoolean[]::new);
    final NettyContext context = new NettyContext();
    volatile List<Integer> tasksUnderPressure = List.of();
    IConnection inbound;

    TestWorker(Map<String, Object> conf) {
        context.prepare(conf, null);
    }

    static Map<String, Object> conf() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "-4242424242424242:1717171717171717");
        conf.put(Config.STORM_MESSAGING_NETTY_MIN_SLEEP_MS, 10);
        conf.put(Config.STORM_MESSAGING_NETTY_MAX_SLEEP_MS, 50);
        conf.put(MessagingSettings.BIND, "127.0.0.1");
        // On a slow machine nobody is gone, and nothing dropped, for being late.
        conf.put(MessagingSettings.FULL_WAIT, 60_000);
        conf.put(MessengerOptions.SILENCE, 60_000);
        conf.put(MessengerOptions.HANDSHAKE, 60_000);
        conf.put(TransportOptions.CONNECT_TIMEOUT, 20_000);
        return conf;
    }

    /** Makes Storm believe that this host has the name by which the tests connect. Returns what undoes it. */
    static AutoCloseable named(String host) {
        Utils before = Utils.setInstance(new Utils() {
            @Override
            protected String hostnameImpl() {
                return host;
            }
        });
        return () -> Utils.setInstance(before);
    }

    static TestWorker listening(Map<String, Object> conf, int port) {
        TestWorker worker = new TestWorker(conf);
        worker.bind(TOPOLOGY, port);
        return worker;
    }

    void bind(String topology, int port) {
        inbound = context.bind(topology, port, received::addAll, this::pressure);
    }

    private BackPressureStatus pressure() {
        List<Integer> under = tasksUnderPressure;
        List<Integer> free = IntStream.range(0, TASKS)
                .boxed()
                .filter(task -> !under.contains(task))
                .toList();
        return new BackPressureStatus("worker", under, free);
    }

    /** Has the other workers told of the tasks under pressure. */
    void tellPressure(List<Integer> tasks) {
        tasksUnderPressure = tasks;
        inbound.sendBackPressureStatus(pressure());
    }

    ConnectionWithStatus connect(int port) {
        return (ConnectionWithStatus) context.connect(TOPOLOGY, HOST, port, flags);
    }

    ConnectionWithStatus connectAndWait(int port) {
        ConnectionWithStatus connection = connect(port);
        Await.until("the connection", () -> connection.status() == ConnectionWithStatus.Status.Ready);
        return connection;
    }

    static Iterator<TaskMessage> messages(TaskMessage... messages) {
        return List.of(messages).iterator();
    }

    @Override
    public void close() {
        context.term();
    }
}
