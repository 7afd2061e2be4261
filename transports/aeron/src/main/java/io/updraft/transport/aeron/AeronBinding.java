package io.updraft.transport.aeron;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription to which peers publish, and the channels that they have opened. Owner only.
 *
 * <p>The subscription stays open after {@link #close} while channels need it: closing it would end their reception.
 */
final class AeronBinding extends PeerSubscription implements Binding {

    private static final Logger LOG = LoggerFactory.getLogger(AeronBinding.class);

    private final ChannelAcceptor acceptor;
    /** Null over UDP, where the system ensures that a port has one owner. */
    private final PortClaim claim;

    private final Address address;
    /** The peers that have sent OPEN and wait until a channel is free for them. A waiting peer costs next to nothing. */
    private final ArrayDeque<OpenRequest> openRequests = new ArrayDeque<>();

    private boolean closed;

    /**
     * Starts to listen.
     *
     * @throws RuntimeException when the driver refuses
     */
    AeronBinding(AeronTransport transport, Address requested, ChannelAcceptor acceptor) {
        super(transport);
        this.acceptor = acceptor;
        claim = transport.medium.shared() ? PortClaim.of(transport.client, requested.port()) : null;
        try {
            address = new Address(requested.host(), open(requested, requested.port()));
        } catch (RuntimeException refused) {
            closeClaim();
            throw refused;
        }
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    boolean listensAt(Address other) {
        return address.equals(other) && !isReleased();
    }

    @Override
    int poll() {
        if (isReleased()) {
            return 0;
        }
        int done = super.poll() + answerOpenRequests();
        releaseIfUnused();
        return done;
    }

    /** Receives the first message of a new publication. Later messages go to its channel. */
    @Override
    public void received(ImageReader reader, byte kind, DirectBuffer buffer, int offset, int length) {
        reader.setReceiver(IGNORE);
        if (kind != AeronProtocol.OPEN || !AeronProtocol.isGreeting(buffer, offset, length)) {
            LOG.debug("aeron: {} uses another protocol or version", reader.image.sourceIdentity());
            return;
        }
        if (openRequests.size() >= transport.settings.maxWaiting()) {
            openRequests.remove();
        }
        openRequests.add(
                new OpenRequest(reader, AeronProtocol.token(buffer, offset), AeronProtocol.answerTo(buffer, offset)));
    }

    /** Answers waiting peers while channels are free. Each answer takes a publication before the peer is authenticated. */
    private int answerOpenRequests() {
        if (openRequests.isEmpty()) {
            return 0;
        }
        long free = transport.settings.maxChanging()
                - channels.stream().filter(AeronChannel::isChanging).count();
        int done = 0;
        for (; done < free && !openRequests.isEmpty(); done++) {
            OpenRequest next = openRequests.remove();
            if (!next.reader().image.isClosed()) {
                answer(next.reader(), next.token(), next.answerTo());
            }
        }
        return done;
    }

    private void answer(ImageReader reader, long token, int answerTo) {
        String source = reader.image.sourceIdentity();
        Address answer = transport.medium.answerAddress(source, answerTo);
        if (answer == null) {
            LOG.debug("aeron: {} sent no valid port for the answer", source);
            return;
        }
        PublicationWriter out;
        try {
            out = new PublicationWriter(transport, answer, answerTo);
        } catch (RuntimeException refusedByDriver) {
            LOG.debug("aeron: cannot answer {} now", source, refusedByDriver);
            return;
        }
        AeronChannel channel = new AeronChannel(
                transport,
                out,
                source,
                AeronProtocol.greeting(AeronProtocol.OPENED, token, 0),
                () -> closed ? null : acceptor.accept(),
                null);
        reader.setReceiver(channel);
        channels.add(channel);
    }

    @Override
    public void broken(String reason) {
        LOG.debug("aeron: {}: {}", address, reason);
    }

    @Override
    public void close() {
        closed = true;
        releaseIfUnused();
    }

    private void releaseIfUnused() {
        if (closed && !isReleased() && channels.isEmpty()) {
            release();
            closeClaim();
        }
    }

    private void closeClaim() {
        if (claim != null) {
            claim.close();
        }
    }

    private record OpenRequest(ImageReader reader, long token, int answerTo) {}
}
