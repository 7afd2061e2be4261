package io.updraft.transport.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TCP with Netty, on the owner's thread. */
final class NettyTransport implements Transport {

    /** An event that the user's handlers must receive from within poll. */
    @FunctionalInterface
    interface Event {

        void run();

        /** Called instead of {@link #run} when the transport has been closed. */
        default void drop() {}
    }

    static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    /**
     * Threads for lookups, which end when they are idle. A name server may take seconds to answer, and the JDK's lookup blocks.
     */
    private static final ExecutorService LOOKUPS =
            Executors.newCachedThreadPool(DaemonThreads.factory("updraft-name-lookup"));

    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    final NettySettings settings;
    final BlockPacker packer;
    private final ManualIoEventLoop loop;
    private final NettyBootstraps bootstraps;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final Set<NettyChannel> channels = new HashSet<>();
    /** The accepted channels whose TLS handshake is not complete, oldest first. */
    private final Set<NettyChannel> unauthenticated = new LinkedHashSet<>();

    private final Set<NettyBinding> bindings = new HashSet<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private List<NettyChannel> toFlush = new ArrayList<>();
    private List<NettyChannel> flushing = new ArrayList<>();
    private Thread owner;
    private boolean polling;
    private long quietUntil = System.nanoTime();
    private long suppressed;
    private VirtualMachineError fatal;
    private volatile boolean closed;

    NettyTransport(NettySettings settings) {
        this.settings = settings;
        packer = new BlockPacker(settings.compression(), settings.maxMessage());
        loop = new ManualIoEventLoop(null, null, settings.io().factory.get());
        bootstraps = new NettyBootstraps(settings, loop);
    }

    @Override
    public String name() {
        return NettyTransportProvider.NAME;
    }

    @Override
    public String description() {
        return name() + ", " + settings.io().title
                + settings.tls().map(tls -> ", " + tls.protocol()).orElse("")
                + (settings.compression() == MessageCompression.NONE ? "" : ", " + settings.compression());
    }

    @Override
    public boolean isMutuallyAuthenticated() {
        return settings.tls().map(Tls::isMutual).orElse(false);
    }

    // Opening.

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        claimOwnership();
        if (closed) {
            throw new TransportException("the transport is closed: create another one");
        }
        NettyBinding binding =
                NettyBinding.bind(bootstraps.server(connection -> accepted(connection, acceptor)), address, this);
        bindings.add(binding);
        return binding;
    }

    private NettyChannel.Events accepted(SocketChannel connection, ChannelAcceptor acceptor) {
        String peer = String.valueOf(connection.remoteAddress()).replaceFirst("^.*/", "");
        NettyChannel channel = new NettyChannel(this, acceptor::accept, true, peer);
        channels.add(channel);
        if (settings.tls().isPresent()) {
            unauthenticated.add(channel);
            if (unauthenticated.size() > settings.maxUnauthenticated()) {
                unauthenticated.iterator().next().end("too many connections were waiting for their TLS handshake");
            }
        }
        return channel.new Events();
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        claimOwnership();
        String peer = address.toString();
        NettyChannel channel = new NettyChannel(this, () -> handler, false, peer);
        if (closed) {
            return;
        }
        channels.add(channel);
        channel.openWithin(loop.schedule(
                () -> channel.end("no answer from " + peer + " within "
                        + TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos()) + " ms"),
                settings.connectTimeoutNanos(),
                TimeUnit.NANOSECONDS));
        find(address.host()).addListener((Future<InetAddress> found) -> {
            if (found.isSuccess()) {
                connect(new InetSocketAddress(found.getNow(), address.port()), address, channel);
            } else {
                channel.fail(found.cause());
            }
        });
    }

    /** Resolves a host name; the owner does not wait. */
    private Future<InetAddress> find(String host) {
        Promise<InetAddress> answer = loop.newPromise();
        boolean isLiteral = NetUtil.createByteArrayFromIpAddressString(host) != null;
        Executor executor = isLiteral ? Runnable::run : LOOKUPS;
        executor.execute(() -> {
            try {
                answer.setSuccess(InetAddress.getByName(host));
            } catch (UnknownHostException unknown) {
                answer.setFailure(unknown);
            }
        });
        return answer;
    }

    private void connect(InetSocketAddress to, Address named, NettyChannel channel) {
        if (!channel.isOpening() || closed) {
            return;
        }
        Bootstrap bootstrap = bootstraps.client(named, () -> channel.new Events());
        bootstrap.connect(to).addListener((ChannelFuture attempt) -> {
            if (!attempt.isSuccess()) {
                channel.fail(attempt.cause());
            }
        });
    }

    // Running.

    @Override
    public int poll() {
        claimOwnership();
        if (closed) {
            return 0;
        }
        polling = true;
        try {
            int work = runEvents() + loop.runNow();
            flushAll();
            rethrowFatal();
            return work;
        } finally {
            polling = false;
        }
    }

    /** Runs the queued events. Events that they add run in the next poll. */
    private int runEvents() {
        int count = events.size();
        for (int i = 0; i < count; i++) {
            events.poll().run();
        }
        return count;
    }

    private void flushAll() {
        List<NettyChannel> all = toFlush;
        toFlush = flushing;
        flushing = all;
        for (NettyChannel channel : all) {
            channel.flushNow();
        }
        all.clear();
    }

    @Override
    public void await(long nanos) {
        claimOwnership();
        if (closed || nanos <= 0 || hasWork() || woken.getAndSet(false)) {
            return;
        }
        loop.run(nanos);
        woken.set(false);
    }

    private boolean hasWork() {
        toFlush.removeIf(channel -> !channel.isDirty());
        return !events.isEmpty() || !toFlush.isEmpty();
    }

    @Override
    public void wakeUp() {
        // A task instead of Netty's wakeup(), which is lost when it occurs just before the owner starts to wait.
        if (!woken.getAndSet(true) && !closed) {
            try {
                loop.execute(() -> {});
            } catch (RejectedExecutionException closedMeanwhile) {
                // No thread waits on a closed transport.
            }
        }
    }

    // Methods for channels and bindings.

    /** Makes the calling thread the owner if there is none; throws if another thread is the owner. */
    void claimOwnership() {
        Thread caller = Thread.currentThread();
        if (owner == null) {
            owner = caller;
            loop.setOwningThread(caller);
        } else if (owner != caller) {
            throw new IllegalStateException("the transport belongs to the thread '" + owner.getName() + "', but '"
                    + caller.getName() + "' has used it");
        }
    }

    boolean isPolling() {
        return polling;
    }

    /** Runs an event of Netty now if handlers may be called and no event is queued; otherwise in the next poll. */
    void inOrder(Event event) {
        if (polling && events.isEmpty()) {
            event.run();
        } else {
            events.add(event);
        }
    }

    /** Runs an event in the next poll; for events that must not be delivered from within another callback. */
    void later(Event event) {
        events.add(event);
    }

    void flushLater(NettyChannel channel) {
        toFlush.add(channel);
    }

    void forget(NettyChannel channel) {
        channels.remove(channel);
        unauthenticated.remove(channel);
    }

    void authenticated(NettyChannel channel) {
        unauthenticated.remove(channel);
    }

    /**
     * Logs why a connection did not become a channel, at most once a second: unauthenticated peers must not be able to fill a disk with log
     * lines.
     */
    void notAccepted(String reason) {
        if (System.nanoTime() - quietUntil < 0) {
            suppressed++;
            return;
        }
        LOG.warn(
                "a connection was not accepted: {}{}",
                reason,
                suppressed == 0 ? "" : "; " + suppressed + " more were not accepted since the last such line");
        suppressed = 0;
        quietUntil = System.nanoTime() + LOG_PAUSE_NANOS;
    }

    void forget(NettyBinding binding) {
        bindings.remove(binding);
    }

    void fatal(VirtualMachineError error) {
        fatal = error;
    }

    private void rethrowFatal() {
        if (fatal != null) {
            VirtualMachineError error = fatal;
            fatal = null;
            throw error;
        }
    }

    /** Runs Netty until an operation has completed. Handlers are called in the next poll, not here. */
    void complete(Future<?> future) {
        while (!future.isDone()) {
            loop.run(TimeUnit.MILLISECONDS.toNanos(1));
        }
        // NIO releases a closed socket at its next select.
        loop.runNow();
    }

    @Override
    public void close() {
        claimOwnership();
        if (closed) {
            return;
        }
        List.copyOf(bindings).forEach(NettyBinding::close);
        closed = true;
        List.copyOf(channels).forEach(NettyChannel::discard);
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
        events.forEach(Event::drop);
        events.clear();
        toFlush.clear();
    }
}
