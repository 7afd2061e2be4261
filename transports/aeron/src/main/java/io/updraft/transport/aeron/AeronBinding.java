package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.ChannelAcceptor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription to which peers publish, and the channels that they have opened. Owner only.
 *
 * <p>The subscription stays open after {@link #close} while channels need it: closing it would end their reception.
 */
final class AeronBinding implements Binding, ImageReader.Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(AeronBinding.class);

    private final Aeron client;
    private final AeronSettings settings;
    private final AeronMedium medium;
    private final ChannelAcceptor acceptor;
    private final Consumer<Runnable> later;
    /** Null over UDP, where the system ensures that a port has one owner. */
    private final PortClaim claim;

    private final PeerSubscription station;
    private final Address address;
    private final List<AeronChannel> channels = new ArrayList<>();
    /** The peers that have sent OPEN and wait until a channel is free for them. A waiting peer costs next to nothing. */
    private final ArrayDeque<OpenRequest> openRequests = new ArrayDeque<>();

    private boolean closed;
    private boolean released;

    /**
     * Starts to listen.
     *
     * @throws RuntimeException when the driver refuses
     */
    AeronBinding(
            Aeron client,
            AeronSettings settings,
            AeronMedium medium,
            Address wanted,
            ChannelAcceptor acceptor,
            Consumer<Runnable> later) {
        this.client = client;
        this.settings = settings;
        this.medium = medium;
        this.acceptor = acceptor;
        this.later = later;
        claim = medium.shared() ? PortClaim.of(client, wanted.port()) : null;
        PeerSubscription opened = null;
        try {
            opened = new PeerSubscription(
                    client, medium.listenUri(wanted), medium.stream(wanted.port()), settings.maxMessage(), this);
            AgentInvoker conductor = client.conductorAgentInvoker();
            address = medium.shared() ? wanted : new Address(wanted.host(), opened.port(conductor));
        } catch (RuntimeException refused) {
            release(opened, claim);
            throw refused;
        }
        station = opened;
    }

    @Override
    public Address address() {
        return address;
    }

    boolean isReleased() {
        return released;
    }

    int poll() {
        if (released) {
            return 0;
        }
        int done = station.poll();
        for (int i = 0; i < channels.size(); i++) {
            done += channels.get(i).poll();
        }
        channels.removeIf(AeronChannel::isFinished);
        done += answerOpenRequests();
        releaseIfUnused();
        return done;
    }

    boolean hasInput() {
        if (released || station.hasInput()) {
            return true;
        }
        for (AeronChannel channel : channels) {
            if (channel.hasRoomAgain()) {
                return true;
            }
        }
        return false;
    }

    List<AeronChannel> channels() {
        return channels;
    }

    /** Receives the first message of a new publication. Later messages go to its channel. */
    @Override
    public void received(ImageReader from, byte kind, DirectBuffer buffer, int offset, int length) {
        from.setReceiver(IgnoringReceiver.INSTANCE);
        if (kind != AeronProtocol.OPEN || !AeronProtocol.isGreeting(buffer, offset, length)) {
            LOG.debug("aeron: {} uses another protocol or version", from.image().sourceIdentity());
            return;
        }
        if (openRequests.size() >= settings.maxWaiting()) {
            openRequests.remove();
        }
        openRequests.add(
                new OpenRequest(from, AeronProtocol.token(buffer, offset), AeronProtocol.answerTo(buffer, offset)));
    }

    /** Answers waiting peers while there is room. Each answer takes a publication before the peer is authenticated. */
    private int answerOpenRequests() {
        if (openRequests.isEmpty()) {
            return 0;
        }
        long room = settings.maxChanging()
                - channels.stream().filter(AeronChannel::isChanging).count();
        int done = 0;
        for (; done < room && !openRequests.isEmpty(); done++) {
            OpenRequest next = openRequests.remove();
            if (!next.from().image().isClosed()) {
                answer(next.from(), next.token(), next.answerTo());
            }
        }
        return done;
    }

    private void answer(ImageReader from, long token, int answerTo) {
        String source = from.image().sourceIdentity();
        Address answer = medium.answerAddress(source, answerTo);
        if (answer == null) {
            LOG.debug("aeron: {} sent no valid port for the answer", source);
            return;
        }
        PublicationWriter out;
        try {
            out = new PublicationWriter(client, medium, medium.publicationUri(answer), medium.answerStream(answerTo));
        } catch (RuntimeException refusedByDriver) {
            LOG.debug("aeron: cannot answer {} now", source, refusedByDriver);
            return;
        }
        AeronChannel channel = new AeronChannel(
                settings,
                out,
                source,
                AeronProtocol.greeting(AeronProtocol.OPENED, token, 0),
                later,
                () -> closed ? null : acceptor.accept(),
                null);
        from.setReceiver(channel);
        channels.add(channel);
    }

    @Override
    public void broken(String why) {
        LOG.debug("aeron: {}: {}", address, why);
    }

    @Override
    public void lost() {
        // The peer has sent nothing.
    }

    @Override
    public void close() {
        closed = true;
        releaseIfUnused();
    }

    private void releaseIfUnused() {
        if (closed && !released && channels.isEmpty()) {
            released = true;
            release(station, claim);
        }
    }

    private static void release(PeerSubscription station, PortClaim claim) {
        if (station != null) {
            station.close();
        }
        if (claim != null) {
            claim.close();
        }
    }

    private record OpenRequest(ImageReader from, long token, int answerTo) {}

    /** Ignores the messages of publications that have no channel. */
    enum IgnoringReceiver implements ImageReader.Receiver {
        INSTANCE;

        @Override
        public void received(ImageReader from, byte kind, DirectBuffer buffer, int offset, int length) {}

        @Override
        public void broken(String why) {}

        @Override
        public void lost() {}
    }
}
