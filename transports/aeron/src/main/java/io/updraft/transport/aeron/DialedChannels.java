package io.updraft.transport.aeron;

import io.updraft.transport.Address;
import io.updraft.transport.ChannelHandler;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;

/** The channels that this side has opened, and the subscription to which their peers answer. Owner only. */
final class DialedChannels extends PeerSubscription {

    private static final Address ANY_PORT = new Address("0.0.0.0", 0);

    private final SecureRandom tokens = new SecureRandom();
    private final Map<Long, AeronChannel> waiting = new HashMap<>();
    private final int answerTo;

    /**
     * Subscribes to answers.
     *
     * @throws RuntimeException when the driver refuses
     */
    DialedChannels(AeronTransport transport) {
        super(transport);
        answerTo = open(ANY_PORT, AeronMedium.anyStreamForAnswers(new SplittableRandom(tokens.nextLong())));
    }

    void connect(Address to, ChannelHandler handler) {
        long token = tokens.nextLong();
        PublicationWriter out = new PublicationWriter(transport, to, to.port());
        AeronChannel channel = new AeronChannel(
                transport,
                out,
                to.toString(),
                AeronProtocol.greeting(AeronProtocol.OPEN, token, answerTo),
                null,
                handler);
        waiting.put(token, channel);
        channels.add(channel);
    }

    @Override
    int poll() {
        int done = super.poll();
        if (!waiting.isEmpty()) {
            waiting.values().removeIf(AeronChannel::isFinished);
        }
        return done;
    }

    /** Receives the first message of a peer's publication: OPENED, or CLOSE when the peer refuses. */
    @Override
    public void received(ImageReader reader, byte kind, DirectBuffer buffer, int offset, int length) {
        reader.setReceiver(IGNORE);
        if (kind != AeronProtocol.OPENED || !AeronProtocol.isGreeting(buffer, offset, length)) {
            return;
        }
        AeronChannel channel = waiting.remove(AeronProtocol.token(buffer, offset));
        if (channel != null) {
            reader.setReceiver(channel);
            channel.opened();
        }
    }
}
