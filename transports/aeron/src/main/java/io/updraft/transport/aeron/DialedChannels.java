package io.updraft.transport.aeron;

import io.aeron.Aeron;
import io.updraft.transport.Address;
import io.updraft.transport.ChannelHandler;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** The channels that this side has opened, and the subscription to which their peers answer. Owner only. */
final class DialedChannels implements ImageReader.Receiver {

    private final Aeron client;
    private final AeronSettings settings;
    private final AeronMedium medium;
    private final Consumer<Runnable> later;
    private final SecureRandom tokens = new SecureRandom();
    private final Map<Long, AeronChannel> waiting = new HashMap<>();
    private final List<AeronChannel> channels = new ArrayList<>();
    private final PeerSubscription station;
    private final int answerTo;

    /**
     * Subscribes to answers.
     *
     * @throws RuntimeException when the driver refuses
     */
    DialedChannels(Aeron client, AeronSettings settings, AeronMedium medium, Consumer<Runnable> later) {
        this.client = client;
        this.settings = settings;
        this.medium = medium;
        this.later = later;
        int stream = AeronMedium.anyStreamForAnswers(new SplittableRandom(tokens.nextLong()));
        station = new PeerSubscription(
                client, medium.answersUri(), medium.answerStream(stream), settings.maxMessage(), this);
        try {
            answerTo = medium.shared() ? stream : station.port(client.conductorAgentInvoker());
        } catch (RuntimeException refused) {
            station.close();
            throw refused;
        }
    }

    void connect(Address to, ChannelHandler handler) {
        long token = tokens.nextLong();
        PublicationWriter out =
                new PublicationWriter(client, medium, medium.publicationUri(to), medium.stream(to.port()));
        AeronChannel channel = new AeronChannel(
                settings,
                out,
                to.toString(),
                AeronProtocol.greeting(AeronProtocol.OPEN, token, answerTo),
                later,
                null,
                handler);
        waiting.put(token, channel);
        channels.add(channel);
    }

    int poll() {
        int done = station.poll();
        for (int i = 0; i < channels.size(); i++) {
            done += channels.get(i).poll();
        }
        if (channels.removeIf(AeronChannel::isFinished)) {
            waiting.values().removeIf(AeronChannel::isFinished);
        }
        return done;
    }

    boolean hasInput() {
        if (station.hasInput()) {
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

    /** Receives the first message of a peer's publication: OPENED, or CLOSE when the peer refuses. */
    @Override
    public void received(ImageReader from, byte kind, DirectBuffer buffer, int offset, int length) {
        from.setReceiver(AeronBinding.IgnoringReceiver.INSTANCE);
        if (kind != AeronProtocol.OPENED || !AeronProtocol.isGreeting(buffer, offset, length)) {
            return;
        }
        AeronChannel channel = waiting.remove(AeronProtocol.token(buffer, offset));
        if (channel != null) {
            from.setReceiver(channel);
            channel.opened();
        }
    }

    @Override
    public void broken(String why) {
        // From a peer that publishes here without having been asked.
    }

    @Override
    public void lost() {
        // The peer has sent nothing.
    }
}
