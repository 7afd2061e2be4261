package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.AgentInvoker;

/** A subscription and the publications that it receives. Owner only, because the client runs on the owner's thread. */
final class PeerSubscription {

    /** Most fragments of one publication in one poll, so that no publication starves the others. */
    private static final int MAX_FRAGMENTS = 256;

    private static final long PORT_TIMEOUT_NANOS = 5_000_000_000L;

    private final int maxMessage;
    private final ImageReader.Receiver first;
    private final Subscription subscription;
    private final List<ImageReader> inbounds = new ArrayList<>();
    private final ArrayDeque<ImageReader> gone = new ArrayDeque<>();

    /**
     * Subscribes, and waits for the driver's answer.
     *
     * @param first receives messages until the inbound gets another receiver
     * @throws RuntimeException when the driver refuses
     */
    PeerSubscription(Aeron client, String uri, int stream, int maxMessage, ImageReader.Receiver first) {
        this.maxMessage = maxMessage;
        this.first = first;
        subscription = client.addSubscription(uri, stream, this::appeared, this::disappeared);
    }

    private void appeared(Image image) {
        inbounds.add(new ImageReader(image, maxMessage, first));
    }

    private void disappeared(Image image) {
        for (ImageReader inbound : inbounds) {
            if (inbound.image() == image) {
                gone.add(inbound);
            }
        }
    }

    /** {@return the port of a subscription over UDP, whether chosen by the system or given} */
    int port(AgentInvoker conductor) {
        long deadline = System.nanoTime() + PORT_TIMEOUT_NANOS;
        String endpoint = subscription.resolvedEndpoint();
        while (endpoint == null) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the media driver reports no port for " + subscription.channel());
            }
            conductor.invoke();
            Thread.onSpinWait();
            endpoint = subscription.resolvedEndpoint();
        }
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    int poll() {
        int done = 0;
        for (ImageReader inbound = gone.poll(); inbound != null; inbound = gone.poll()) {
            inbounds.remove(inbound);
            inbound.lost();
            done++;
        }
        // By index: a callback may bind, which may add publications.
        for (int i = 0; i < inbounds.size(); i++) {
            done += inbounds.get(i).poll(MAX_FRAGMENTS);
        }
        return done;
    }

    boolean hasInput() {
        if (!gone.isEmpty()) {
            return true;
        }
        for (ImageReader inbound : inbounds) {
            if (inbound.hasInput()) {
                return true;
            }
        }
        return false;
    }

    void close() {
        subscription.close();
        inbounds.clear();
        gone.clear();
    }
}
