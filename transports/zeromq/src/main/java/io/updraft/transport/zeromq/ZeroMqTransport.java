package io.updraft.transport.zeromq;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.UncheckedZMQException;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** The sockets of one JeroMQ context, polled by the owner. */
final class ZeroMqTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(ZeroMqTransport.class);

    /** The maximum number of sockets; JeroMQ's default is 1,024. Each connecting channel has one socket. */
    private static final int MAX_SOCKETS = 16_384;

    /** Most frames of one socket in one poll, so that no socket starves the others. */
    private static final int MAX_FRAMES = 256;

    private static final long MILLI = 1_000_000;

    /** Far longer than any linger time. */
    private static final long CLOSE_MILLIS = 10_000;

    private final Selector selector;
    final ZeroMqSettings settings;
    /** For tests too. */
    final ZMQ.Context context;

    private final List<PolledSocket> sockets = new ArrayList<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final List<ZeroMqChannel> owingCredit = new ArrayList<>();
    private boolean closed;

    /** Whether the owner waits or is about to wait. Waking it then takes a system call; otherwise a flag is enough. */
    private volatile boolean asleep;

    private volatile boolean woken;

    ZeroMqTransport(ZeroMqSettings settings) throws IOException {
        this.settings = settings;
        selector = Selector.open();
        context = ZMQ.context(settings.threads());
        context.setMaxSockets(MAX_SOCKETS);
    }

    @Override
    public String name() {
        return ZeroMqProvider.NAME;
    }

    @Override
    public String description() {
        return "zeromq, JeroMQ over TCP, " + settings.threads()
                + (settings.threads() == 1 ? " I/O thread" : " I/O threads");
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        try {
            ZeroMqBinding binding = new ZeroMqBinding(this, address, acceptor);
            sockets.add(binding);
            return binding;
        } catch (UncheckedZMQException refused) {
            throw new TransportException("zeromq: cannot listen on " + address + ": " + refused.getMessage(), refused);
        }
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        DialedSocket dialed = new DialedSocket(this, address, handler);
        ZeroMqChannel channel = dialed.channel;
        sockets.add(dialed);
        try {
            dialed.dial();
        } catch (ZMQException | IllegalArgumentException unknownHost) {
            LOG.debug("zeromq: cannot connect to {}", address, unknownHost);
            channel.failLater("cannot connect to " + address + ": check the host name (" + unknownHost + ")");
        } catch (UncheckedZMQException noSocket) {
            channel.failLater(
                    "cannot create a socket to " + address + " (" + noSocket + "); raise the limit of open files");
        }
    }

    /** Makes await return when there is input for a socket. The selection key is removed when the socket closes. */
    void watch(ZMQ.Socket socket) {
        try {
            socket.getFD().register(selector, SelectionKey.OP_READ);
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /** Runs an action within a later poll. */
    void later(Runnable action) {
        later.add(action);
    }

    void owesCredit(ZeroMqChannel channel) {
        owingCredit.add(channel);
    }

    @Override
    public int poll() {
        if (closed) {
            return 0;
        }
        int done = runLater() + pollSockets();
        if (done == 0) {
            sendOwedCredit();
        }
        return done;
    }

    private int runLater() {
        int count = later.size();
        for (int i = 0; i < count; i++) {
            later.poll().run();
        }
        return count;
    }

    private int pollSockets() {
        int done = 0;
        boolean ended = false;
        // Callbacks may connect or bind; sockets added by them are polled the next time.
        for (int i = 0, count = sockets.size(); i < count; i++) {
            PolledSocket socket = sockets.get(i);
            done += socket.poll(MAX_FRAMES);
            ended |= socket.isReleased();
        }
        if (ended) {
            sockets.removeIf(PolledSocket::isReleased);
        }
        return done;
    }

    /** Sends all owed credit when there is no other work, so that the peers have exact counts of bytes under way. */
    private void sendOwedCredit() {
        owingCredit.forEach(ZeroMqChannel::settle);
        owingCredit.clear();
    }

    @Override
    public void await(long nanos) {
        asleep = true;
        if (!closed && !woken && later.isEmpty() && !hasInput()) {
            select(nanos);
        }
        asleep = false;
        woken = false;
    }

    private void select(long nanos) {
        try {
            // A selector counts in milliseconds. Rounded up, because not waiting at all would use a full core.
            long limit = Math.min(nanos, nanosToNextLook());
            selector.select(Math.max(1, (limit + MILLI - 1) / MILLI));
            selector.selectedKeys().clear();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Makes each socket process its commands. Only after that does its channel become readable for the next one. */
    private boolean hasInput() {
        for (PolledSocket socket : sockets) {
            if (socket.hasInput()) {
                return true;
            }
        }
        return false;
    }

    private long nanosToNextLook() {
        long least = Long.MAX_VALUE - MILLI;
        long now = System.nanoTime();
        for (PolledSocket socket : sockets) {
            least = Math.min(least, socket.nextLook(now + least) - now);
        }
        return Math.max(0, least);
    }

    @Override
    public void wakeUp() {
        woken = true;
        if (asleep) {
            selector.wakeup();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        sockets.forEach(PolledSocket::abandon);
        later.clear();
        closeContext();
        try {
            selector.close();
        } catch (IOException alreadyGone) {
            LOG.debug("zeromq: cannot close the selector", alreadyGone);
        }
    }

    /**
     * Closes the context on a separate thread and waits for lingering frames. Where JeroMQ has lost track of a connection (see
     * {@link DialedSocket}), its context never closes. The threads that then remain are daemons and do not keep the JVM alive.
     */
    private void closeContext() {
        Thread closer = DaemonThreads.start("updraft-zeromq-close", context::close);
        try {
            closer.join(CLOSE_MILLIS);
            if (closer.isAlive()) {
                LOG.warn("zeromq: JeroMQ did not close within {} s and is abandoned", CLOSE_MILLIS / 1_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
