package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointErrorHandler;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucs.UcsConstants.STATUS;

/** A transport over UCX. Callbacks of UCX only note what has happened; {@link #poll} does something about it. */
final class UcxTransport implements Transport {

    /** So that sending and handling get their turn while much arrives. */
    private static final int MOST_PROGRESS = 32;

    /** While a channel is opening or closing, time itself is a reason to poll. */
    private static final long TICK_NANOS = 2_000_000;

    /** How long closing the transport may wait for peers to hear of it. */
    private static final long FAREWELL_NANOS = 100_000_000;

    private final TransportOptions options;
    private final UcxSettings settings;
    private final Ucx ucx;
    private final Waiter waiter;

    /** Who opens channels; null where rdmacm does. */
    private final Introductions introductions;

    private final FrameBuffers buffers = new FrameBuffers();
    private final SecureRandom numbers = new SecureRandom();

    /** All channels that UCX may still have frames for, by the number that their peers know. */
    private final Map<Long, UcxChannel> channels = new HashMap<>();

    /** Channels whose peers have not introduced themselves, by endpoint. */
    private final Map<Long, UcxChannel> strangers = new HashMap<>();

    private final List<UcxBinding> bindings = new ArrayList<>();
    private final List<Resolving> resolving = new ArrayList<>();
    private final List<UcxChannel> opening = new ArrayList<>();
    private final List<UcxChannel> busy = new ArrayList<>();
    private final List<UcxChannel> dying = new ArrayList<>();
    private List<UcxChannel> ready = new ArrayList<>();
    private List<UcxChannel> spareReady = new ArrayList<>();
    private List<UcxChannel> toTell = new ArrayList<>();
    private List<UcxChannel> spareToTell = new ArrayList<>();
    private boolean closed;

    UcxTransport(TransportOptions options, UcxSettings settings, Ucx ucx) throws IOException {
        this.options = options;
        this.settings = settings;
        this.ucx = ucx;
        waiter = new Waiter(settings.spin());
        introductions = ucx.fabric.rdma() ? null : new Introductions(options.connectTimeoutNanos());
        ucx.receive(this::receive);
    }

    TransportOptions options() {
        return options;
    }

    Ucx ucx() {
        return ucx;
    }

    FrameBuffers buffers() {
        return buffers;
    }

    @Override
    public String name() {
        return UcxTransportProvider.NAME;
    }

    @Override
    public String description() {
        return "ucx, " + ucx.fabric.description() + (settings.spin() ? ", busy polling" : "");
    }

    @Override
    public Binding bind(Address address, ChannelAcceptor acceptor) throws TransportException {
        UcxBinding binding = new UcxBinding(this, acceptor);
        try {
            InetAddress host = ownAddress(address);
            binding.listensAt(
                    new Address(address.host(), listen(new InetSocketAddress(host, address.port()), binding)));
        } catch (UnknownHostException unknown) {
            throw new TransportException("ucx: cannot listen on " + address + ": nobody knows that host", unknown);
        } catch (UcxException | IOException refused) {
            throw new TransportException(
                    "ucx: cannot listen on " + address + " (" + refused.getMessage()
                            + "): something else may listen there; choose another port",
                    refused);
        }
        bindings.add(binding);
        return binding;
    }

    private int listen(InetSocketAddress at, UcxBinding binding) throws IOException {
        if (introductions != null) {
            return introductions.listen(at, binding.door(at.getAddress()));
        }
        UcpListener listener = ucx.listen(at, binding::requested);
        binding.closesWith(listener::close);
        return listener.getAddress().getPort();
    }

    /** UCX 1.13 never returns from listening on any port of an address that is not this machine's, if it has rdmacm. */
    private static InetAddress ownAddress(Address address) throws TransportException, IOException {
        InetAddress host = InetAddress.getByName(address.host());
        if (!host.isAnyLocalAddress() && NetworkInterface.getByInetAddress(host) == null) {
            throw new TransportException("ucx: cannot listen on " + address
                    + ": it is not an address of this machine; choose one that is, or 0.0.0.0");
        }
        return host;
    }

    void unbound(UcxBinding binding) {
        bindings.remove(binding);
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        UcxChannel channel =
                new UcxChannel(this, numbers.nextLong(), address.toString(), null, handler, System.nanoTime());
        opening.add(channel);
        // Looking a name up may take long; the owner has other things to do meanwhile.
        resolving.add(new Resolving(
                channel, CompletableFuture.supplyAsync(() -> new InetSocketAddress(address.host(), address.port()))));
    }

    // ---- from within callbacks of UCX: nothing but notes, and nothing may be thrown

    private int receive(long headerAddress, long headerBytes, UcpAmData data, UcpEndpoint from) {
        ByteBuffer frame = data.isDataValid() ? buffers.copyOf(data.getDataAddress(), data.getLength()) : null;
        if (frame != null && !deliver(frame, from)) {
            buffers.put(frame);
        }
        return STATUS.UCS_OK;
    }

    private boolean deliver(ByteBuffer frame, UcpEndpoint from) {
        if (!Frame.isWhole(frame)) {
            return false;
        }
        boolean isStranger = from != null && Frame.channel(frame) == 0;
        UcxChannel channel = isStranger ? strangers.get(from.getNativeId()) : channels.get(Frame.channel(frame));
        return channel != null && channel.arrived(frame);
    }

    private static UcpEndpointErrorHandler failing(UcxChannel channel) {
        return (endpoint, status, message) -> channel.failed(message);
    }

    /** Something has happened to a channel. */
    void ready(UcxChannel channel) {
        if (!channel.isListedReady) {
            channel.isListedReady = true;
            ready.add(channel);
        }
    }

    // ---- from channels

    /** A channel has something to send, or waits for room. */
    void busy(UcxChannel channel) {
        if (!channel.isListedBusy) {
            channel.isListedBusy = true;
            busy.add(channel);
        }
    }

    void opened(UcxChannel channel) {
        strangers.values().remove(channel);
    }

    void closed(UcxChannel channel) {
        strangers.values().remove(channel);
        toTell.add(channel);
        dying.add(channel);
    }

    // ---- the owner's turn

    @Override
    public int poll() {
        if (closed) {
            return 0;
        }
        int work = tellClosed() + introduce();
        progress();
        work += acceptAll() + connectAll() + processReady() + attendBusy();
        checkTime();
        return work;
    }

    private int introduce() {
        return introductions == null ? 0 : introductions.poll();
    }

    private void progress() {
        int rounds = 0;
        while (ucx.progress() && rounds < MOST_PROGRESS) {
            rounds++;
        }
    }

    private int tellClosed() {
        List<UcxChannel> now = toTell;
        toTell = spareToTell;
        spareToTell = now;
        now.forEach(UcxTransport::tell);
        int told = now.size();
        now.clear();
        return told;
    }

    private static void tell(UcxChannel channel) {
        try {
            channel.tellHandler();
        } catch (RuntimeException ignored) {
            // The channel is closed already, and that is all that an exception could have led to.
        }
    }

    private int acceptAll() {
        int accepted = 0;
        for (int i = bindings.size() - 1; i >= 0; i--) {
            UcxBinding binding = bindings.get(i);
            for (UcpConnectionRequest request = binding.next(); request != null; request = binding.next()) {
                accept(binding, request);
                accepted++;
            }
            binding.checkDoor();
        }
        return accepted;
    }

    private void accept(UcxBinding binding, UcpConnectionRequest request) {
        String peer = String.valueOf(request.getClientAddress()).replaceFirst("^/", "");
        UcxChannel channel = new UcxChannel(this, numbers.nextLong(), peer, binding.acceptor, null, System.nanoTime());
        try {
            channel.attach(ucx.accept(request, failing(channel)));
        } catch (UcxException gone) {
            // Who wanted to connect has changed its mind; nobody here knows of it yet.
            return;
        }
        channels.put(channel.id, channel);
        strangers.put(channel.endpointId(), channel);
        opening.add(channel);
    }

    private int connectAll() {
        int before = resolving.size();
        if (before > 0) {
            resolving.removeIf(this::connected);
        }
        return before - resolving.size();
    }

    private boolean connected(Resolving one) {
        if (!one.address.isDone()) {
            return false;
        }
        UcxChannel channel = one.channel;
        InetSocketAddress address = one.address.join();
        if (address.isUnresolved()) {
            channel.failed("nobody knows that host");
            return true;
        }
        try {
            if (introductions == null) {
                reach(channel, address);
            } else {
                introductions.connect(
                        address,
                        card -> reach(channel, new InetSocketAddress(address.getAddress(), card.port())),
                        channel::failed);
            }
        } catch (IOException refused) {
            channel.failed(refused.getMessage());
        }
        return true;
    }

    private void reach(UcxChannel channel, InetSocketAddress address) {
        if (channel.isClosed()) {
            return;
        }
        channels.put(channel.id, channel);
        try {
            channel.attach(ucx.connect(address, failing(channel)));
            channel.sayHello();
        } catch (UcxException refused) {
            channel.failed(refused.getMessage());
        }
    }

    private int processReady() {
        List<UcxChannel> now = ready;
        ready = spareReady;
        spareReady = now;
        int work = 0;
        for (int i = 0; i < now.size(); i++) {
            UcxChannel channel = now.get(i);
            channel.isListedReady = false;
            work += channel.process();
        }
        now.clear();
        return work;
    }

    private int attendBusy() {
        int work = 0;
        for (int i = busy.size() - 1; i >= 0; i--) {
            UcxChannel channel = busy.get(i);
            work += channel.attend();
            if (!channel.isBusy()) {
                channel.isListedBusy = false;
                busy.set(i, busy.get(busy.size() - 1));
                busy.remove(busy.size() - 1);
            }
        }
        return work;
    }

    private void checkTime() {
        if (!opening.isEmpty()) {
            long now = System.nanoTime();
            opening.removeIf(channel -> channel.checkOpening(now));
        }
        if (!dying.isEmpty()) {
            long now = System.nanoTime();
            dying.removeIf(channel -> isBuried(channel, now));
        }
    }

    private boolean isBuried(UcxChannel channel, long now) {
        if (!channel.bury(now)) {
            return false;
        }
        channels.remove(channel.id);
        return true;
    }

    @Override
    public void await(long nanos) {
        boolean isChanging = !opening.isEmpty() || !dying.isEmpty() || isDoorOpen();
        waiter.await(isChanging ? Math.min(nanos, TICK_NANOS) : nanos, this::hasWork);
    }

    private boolean isDoorOpen() {
        for (int i = 0; i < bindings.size(); i++) {
            if (bindings.get(i).isDoorOpen()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasWork() {
        ucx.progress();
        return introduce() > 0
                || !ready.isEmpty()
                || !toTell.isEmpty()
                || hasRequests()
                || hasResolved()
                || canAttend();
    }

    private boolean hasRequests() {
        for (int i = 0; i < bindings.size(); i++) {
            if (bindings.get(i).hasRequests()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasResolved() {
        for (int i = 0; i < resolving.size(); i++) {
            if (resolving.get(i).address.isDone()) {
                return true;
            }
        }
        return false;
    }

    private boolean canAttend() {
        for (int i = 0; i < busy.size(); i++) {
            if (busy.get(i).canAttend()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wakeUp() {
        waiter.wakeUp();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List.copyOf(bindings).forEach(UcxBinding::close);
        List.copyOf(channels.values()).forEach(channel -> channel.close("this transport was closed", true));
        buryUntil(System.nanoTime() + FAREWELL_NANOS);
        dying.forEach(UcxChannel::hurry);
        buryUntil(System.nanoTime() + FAREWELL_NANOS);
        if (introductions != null) {
            introductions.close();
        }
        ucx.close();
    }

    private void buryUntil(long end) {
        while (!dying.isEmpty() && System.nanoTime() - end < 0) {
            ucx.progress();
            introduce();
            long now = System.nanoTime();
            dying.removeIf(channel -> isBuried(channel, now));
        }
    }

    /** A channel whose peer's address is being looked up. */
    private record Resolving(UcxChannel channel, CompletableFuture<InetSocketAddress> address) {}
}
