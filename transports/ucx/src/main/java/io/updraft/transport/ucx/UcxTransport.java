package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import io.updraft.transport.ChannelHandler;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants.STATUS;

/** A transport over UCX. Callbacks of UCX only record events; {@link #poll} handles them. */
final class UcxTransport implements Transport {

    /** Most progress calls in one poll, so that sending and handling get their turn while many frames arrive. */
    private static final int MAX_PROGRESS = 32;

    /** Longest wait while a channel is opening or closing: then a timeout may be due. */
    private static final long TICK_NANOS = 2_000_000;

    /** How long closing the transport may wait for peers to receive BYE. */
    private static final long CLOSE_NANOS = 100_000_000;

    final TransportOptions options;
    final Ucx ucx;
    private final UcxSettings settings;
    private final PollingWait waiter;

    /** Opens channels; null where rdmacm does. */
    private final PortExchanges portExchanges;

    final FrameBuffers buffers = new FrameBuffers();
    /** Chooses the numbers by which peers address channels. */
    final SecureRandom numbers = new SecureRandom();

    /** All channels for which UCX may still have frames, by the number that their peers use. */
    private final Map<Long, UcxChannel> channels = new HashMap<>();

    /** Channels whose peers have not sent HELLO, by endpoint. */
    private final Map<Long, UcxChannel> unauthenticated = new HashMap<>();

    private final UcxListeners listeners;
    private final UcxDialer dialer;
    private final List<UcxChannel> opening = new ArrayList<>();
    private final List<UcxChannel> busy = new ArrayList<>();
    private final List<UcxChannel> closing = new ArrayList<>();
    private final ArrayDeque<UcxChannel> ready = new ArrayDeque<>();
    private final ArrayDeque<UcxChannel> toNotify = new ArrayDeque<>();
    private boolean closed;

    UcxTransport(TransportOptions options, UcxSettings settings, Ucx ucx) throws IOException {
        this.options = options;
        this.settings = settings;
        this.ucx = ucx;
        waiter = new PollingWait(settings.spin());
        portExchanges = ucx.fabric.rdma() ? null : new PortExchanges(options.connectTimeoutNanos());
        listeners = new UcxListeners(this, portExchanges);
        dialer = new UcxDialer(this, portExchanges);
        ucx.receive(this::receive);
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
        return listeners.bind(address, acceptor);
    }

    @Override
    public void connect(Address address, ChannelHandler handler) {
        dialer.connect(address, handler);
    }

    // ---- from within callbacks of UCX: they only record events, and must not throw

    private int receive(long headerAddress, long headerBytes, UcpAmData data, UcpEndpoint endpoint) {
        ByteBuffer frame = data.isDataValid() ? buffers.copyOf(data.getDataAddress(), data.getLength()) : null;
        if (frame != null && !deliver(frame, endpoint)) {
            buffers.put(frame);
        }
        return STATUS.UCS_OK;
    }

    private boolean deliver(ByteBuffer frame, UcpEndpoint endpoint) {
        if (!UcxFrame.isWhole(frame)) {
            return false;
        }
        boolean isHello = endpoint != null && UcxFrame.channel(frame) == 0;
        UcxChannel channel =
                isHello ? unauthenticated.get(endpoint.getNativeId()) : channels.get(UcxFrame.channel(frame));
        return channel != null && channel.arrived(frame);
    }

    void ready(UcxChannel channel) {
        if (!channel.isListedReady) {
            channel.isListedReady = true;
            ready.add(channel);
        }
    }

    // ---- from channels

    /** Notes that a channel has something to send, or waits for room. */
    void busy(UcxChannel channel) {
        if (!channel.isListedBusy) {
            channel.isListedBusy = true;
            busy.add(channel);
        }
    }

    /** Adds a channel that is being opened; its timeout is checked. */
    void opening(UcxChannel channel) {
        opening.add(channel);
    }

    /** Adds a channel for which UCX may have frames from now on. */
    void expect(UcxChannel channel) {
        channels.put(channel.id, channel);
    }

    /** Adds a channel whose peer has not sent HELLO yet. */
    void expectUnauthenticated(UcxChannel channel) {
        expect(channel);
        unauthenticated.put(channel.endpointId(), channel);
    }

    void opened(UcxChannel channel) {
        unauthenticated.values().remove(channel);
    }

    void closed(UcxChannel channel) {
        unauthenticated.values().remove(channel);
        toNotify.add(channel);
        closing.add(channel);
    }

    // ---- called by the owner

    @Override
    public int poll() {
        if (closed) {
            return 0;
        }
        int work = notifyAllClosed() + exchangePorts();
        progress();
        work += listeners.poll() + dialer.poll() + processReady() + attendBusy();
        checkTime();
        if (work > 0) {
            waiter.resetPauses();
        }
        return work;
    }

    private int exchangePorts() {
        return portExchanges == null ? 0 : portExchanges.poll();
    }

    private void progress() {
        int rounds = 0;
        while (ucx.progress() && rounds < MAX_PROGRESS) {
            rounds++;
        }
    }

    private int notifyAllClosed() {
        int count = toNotify.size();
        for (int i = 0; i < count; i++) {
            try {
                toNotify.poll().notifyClosed();
            } catch (RuntimeException ignored) {
                // The channel is closed already; an exception would only have closed it.
            }
        }
        return count;
    }

    private int processReady() {
        int work = 0;
        for (int count = ready.size(); count > 0; count--) {
            UcxChannel channel = ready.poll();
            channel.isListedReady = false;
            work += channel.process();
        }
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
        if (!closing.isEmpty()) {
            long now = System.nanoTime();
            closing.removeIf(channel -> isRemoved(channel, now));
        }
    }

    private boolean isRemoved(UcxChannel channel, long now) {
        if (!channel.removeEndpoint(now)) {
            return false;
        }
        channels.remove(channel.id);
        return true;
    }

    @Override
    public void await(long nanos) {
        boolean isChanging = !opening.isEmpty() || !closing.isEmpty() || listeners.isExpectingPeer();
        waiter.await(isChanging ? Math.min(nanos, TICK_NANOS) : nanos, this::hasWork);
    }

    private boolean hasWork() {
        ucx.progress();
        return exchangePorts() > 0
                || !ready.isEmpty()
                || !toNotify.isEmpty()
                || listeners.hasWork()
                || dialer.hasWork()
                || canAttend();
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
        listeners.close();
        List.copyOf(channels.values()).forEach(channel -> channel.close("this transport was closed", true));
        removeUntil(System.nanoTime() + CLOSE_NANOS);
        closing.forEach(UcxChannel::stopLingering);
        removeUntil(System.nanoTime() + CLOSE_NANOS);
        if (portExchanges != null) {
            portExchanges.close();
        }
        ucx.close();
    }

    private void removeUntil(long end) {
        while (!closing.isEmpty() && System.nanoTime() - end < 0) {
            ucx.progress();
            exchangePorts();
            long now = System.nanoTime();
            closing.removeIf(channel -> isRemoved(channel, now));
        }
    }
}
