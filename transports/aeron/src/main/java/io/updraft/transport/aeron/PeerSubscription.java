package io.updraft.transport.aeron;

import io.aeron.Image;
import io.aeron.Subscription;
import io.updraft.transport.Address;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A subscription, the publications that it receives, and the channels of their peers. It is the receiver of the first message
 * of each publication. Owner only, because the client runs on the owner's thread.
 */
abstract class PeerSubscription implements ImageReader.Receiver {

    /** Most fragments of one publication in one poll, so that no publication starves the others. */
    private static final int MAX_FRAGMENTS = 256;

    private static final long PORT_TIMEOUT_NANOS = 5_000_000_000L;

    final AeronTransport transport;
    final List<AeronChannel> channels = new ArrayList<>();
    private final List<ImageReader> inbounds = new ArrayList<>();
    private final ArrayDeque<ImageReader> closed = new ArrayDeque<>();
    private Subscription subscription;

    PeerSubscription(AeronTransport transport) {
        this.transport = transport;
    }

    /**
     * Subscribes, and waits for the driver's answer.
     *
     * @return the port over UDP, whether chosen by the system or given; in shared memory {@code stream}
     * @throws RuntimeException when the driver refuses
     */
    int open(Address at, int stream) {
        AeronMedium medium = transport.medium;
        subscription = transport.client.addSubscription(
                medium.listenUri(at), medium.stream(stream), this::appeared, this::disappeared);
        try {
            return medium.shared() ? stream : port();
        } catch (RuntimeException refused) {
            subscription.close();
            throw refused;
        }
    }

    private void appeared(Image image) {
        inbounds.add(new ImageReader(image, transport.settings.maxMessage(), this));
    }

    private void disappeared(Image image) {
        inbounds.stream().filter(inbound -> inbound.image == image).forEach(closed::add);
    }

    private int port() {
        long deadline = System.nanoTime() + PORT_TIMEOUT_NANOS;
        String endpoint = subscription.resolvedEndpoint();
        while (endpoint == null) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the media driver reports no port for " + subscription.channel());
            }
            transport.client.conductorAgentInvoker().invoke();
            Thread.onSpinWait();
            endpoint = subscription.resolvedEndpoint();
        }
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    int poll() {
        int done = 0;
        for (ImageReader inbound = closed.poll(); inbound != null; inbound = closed.poll()) {
            inbounds.remove(inbound);
            inbound.lost();
            done++;
        }
        // By index: a callback may bind or connect, which may add publications and channels.
        for (int i = 0; i < inbounds.size(); i++) {
            done += inbounds.get(i).poll(MAX_FRAGMENTS);
        }
        for (int i = 0; i < channels.size(); i++) {
            done += channels.get(i).poll();
        }
        channels.removeIf(AeronChannel::isFinished);
        return done;
    }

    boolean hasInput() {
        if (!closed.isEmpty() || isReleased()) {
            return true;
        }
        for (ImageReader inbound : inbounds) {
            if (inbound.hasInput()) {
                return true;
            }
        }
        for (AeronChannel channel : channels) {
            if (channel.isWritableAgain()) {
                return true;
            }
        }
        return false;
    }

    boolean listensAt(Address address) {
        return false;
    }

    boolean isReleased() {
        return subscription.isClosed();
    }

    void release() {
        subscription.close();
        inbounds.clear();
        closed.clear();
    }
}
