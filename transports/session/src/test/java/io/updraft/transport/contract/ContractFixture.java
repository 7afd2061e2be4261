package io.updraft.transport.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** The properties of a transport, and the transports, threads and handlers of one test. */
abstract class ContractFixture {

    /** Bytes that a channel may hold unsent, in these tests. */
    static final int BUFFER = 512 * 1024;

    /** How long opening a channel may take on a slow machine, unless a test or a module says otherwise. */
    private static final int CONNECT_MILLIS = 20_000;

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<ChannelRecorder> recorders = new ArrayList<>();

    /** {@return what makes the transport} */
    protected abstract TransportProvider provider();

    /** {@return configuration that every transport of these tests gets} */
    protected Map<String, Object> conf() {
        return Map.of();
    }

    /** {@return where to listen; the system chooses the port} */
    protected Address anyPort() {
        return new Address("127.0.0.1", 0);
    }

    /** {@return why the transport cannot run here at all, empty if it can} */
    protected Optional<String> whyNotHere() {
        return Optional.empty();
    }

    /**
     * Says what a transport cannot promise by its nature.
     *
     * @param clause a part of the contract
     * @return why it does not hold, empty if it does
     */
    protected Optional<String> whyNot(ContractClause clause) {
        return Optional.empty();
    }

    /** {@return how many channels between two transports must work at once} */
    protected int manyChannels() {
        return 400;
    }

    @BeforeEach
    final void skipWhereItCannotRun() {
        skipIf(whyNotHere());
    }

    @AfterEach
    final void closeAll() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
        assertThat(recorders)
                .allSatisfy(recorder -> assertThat(recorder.violations()).isEmpty());
    }

    final void require(ContractClause clause) {
        skipIf(whyNot(clause));
    }

    private static void skipIf(Optional<String> reason) {
        Assumptions.assumeTrue(reason.isEmpty(), reason::get);
    }

    /** Makes a transport that the test itself, or an owner, has to close. */
    final Transport create(Map<String, Object> more) throws TransportException {
        Map<String, Object> conf = new HashMap<>(conf());
        conf.putIfAbsent(TransportOptions.BUFFER_SIZE, BUFFER);
        conf.putIfAbsent(TransportOptions.CONNECT_TIMEOUT, CONNECT_MILLIS);
        conf.putAll(more);
        return provider().create(TransportOptions.of(conf));
    }

    final Transport create() throws TransportException {
        return create(Map.of());
    }

    /** A thread for these transports; both end with the test. */
    final TransportOwner owner(Transport... transports) {
        return closing(new TransportOwner(transports));
    }

    final <T extends AutoCloseable> T closing(T resource) {
        toClose.add(resource);
        return resource;
    }

    /** Notes a handler, so that what it finds wrong fails the test. */
    final <T extends ChannelRecorder> T watched(T recorder) {
        recorders.add(recorder);
        return recorder;
    }

    final ChannelRecorder recorder() {
        return watched(new ChannelRecorder());
    }

    /** Two transports, on two threads or on one. */
    final Pair pair(Threads threads) throws TransportException {
        return pair(threads, Map.of(), Map.of());
    }

    final Pair pair(Threads threads, Map<String, Object> client, Map<String, Object> server) throws TransportException {
        Transport connecting = create(client);
        Transport listening = create(server);
        if (threads == Threads.ONE) {
            TransportOwner both = owner(connecting, listening);
            return new Pair(connecting, both, listening, both);
        }
        return new Pair(connecting, owner(connecting), listening, owner(listening));
    }

    /** How many threads the two transports of a pair have. */
    enum Threads {
        ONE,
        TWO
    }

    /** Two transports and their threads. */
    final class Pair {

        /** What hears of the channel that the client opens, if the test has no handlers of its own. */
        final ChannelRecorder near = recorder();

        final ChannelRecorder far = recorder();
        final Transport client;
        final TransportOwner clientOwner;
        final Transport server;
        final TransportOwner serverOwner;

        Pair(Transport client, TransportOwner clientOwner, Transport server, TransportOwner serverOwner) {
            this.client = client;
            this.clientOwner = clientOwner;
            this.server = server;
            this.serverOwner = serverOwner;
        }

        Binding bind(Supplier<? extends ChannelHandler> accept) throws Exception {
            return serverOwner.call(() -> server.bind(anyPort(), accept::get));
        }

        void connect(Binding to, ChannelHandler handler) throws Exception {
            connect(to.address(), handler);
        }

        void connect(Address to, ChannelHandler handler) throws Exception {
            clientOwner.run(() -> client.connect(to, handler));
        }

        /** Opens one channel between {@link #near} and {@link #far}. */
        Pair open() throws Exception {
            open(near, far);
            return this;
        }

        /** Opens one channel; both handlers have heard of it when this returns. */
        void open(ChannelRecorder near, ChannelRecorder far) throws Exception {
            connect(bind(() -> far), near);
            clientOwner.until("the channel is open", () -> near.isOpened() || near.isClosed());
            assertThat(near.reason()).isNull();
            serverOwner.until("the peer's channel is open", far::isOpened);
        }
    }
}
