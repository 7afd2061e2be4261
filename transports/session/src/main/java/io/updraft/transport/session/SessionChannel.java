package io.updraft.transport.session;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One channel and its state.
 *
 * <pre>
 *   CONNECTING -> GREETING -> PROVING -> OPEN -> LINGERING -> ENDED
 *                                                (or from any state straight to one of the last two)
 * </pre>
 *
 * <p>A side that ends the channel sends the reason and lingers until the peer has closed the channel. Closing at once could
 * discard the reason.
 */
final class SessionChannel implements ChannelHandler {

    private static final Logger LOG = LoggerFactory.getLogger(SessionChannel.class);

    private enum State {
        CONNECTING,
        GREETING,
        PROVING,
        OPEN,
        LINGERING,
        ENDED
    }

    private final Messenger messenger;
    private final MessengerOptions options;
    private final ChannelUser user;
    private final Role role;
    private final Handshake handshake;
    private State state = State.CONNECTING;
    private Channel channel;
    private PeerSession session;
    private FrameReceiver in;
    private FrameSender out;
    /**
     * When the state began, and when the last message of the peer arrived. Both count only the time in which this side
     * listened.
     */
    private long since;

    private long lastReceived;
    private long openedAt;
    private long accountSentAt;
    private boolean accountDue;
    private boolean offerRefused;

    SessionChannel(Messenger messenger, ChannelUser user, Role role, Handshake handshake) {
        this.messenger = messenger;
        this.options = messenger.options;
        this.user = user;
        this.role = role;
        this.handshake = handshake;
    }

    @Override
    public void onOpen(Channel opened) {
        channel = opened;
        if (state == State.ENDED) {
            opened.close();
            return;
        }
        enter(State.GREETING);
        messenger.checkAt(messenger.now() + options.handshakeNanos());
        if (role == Role.CONNECTOR) {
            guarded(() -> say(handshake.hello()));
        }
    }

    @Override
    public void onMessage(ByteBuffer message) {
        if (state != State.LINGERING && state != State.ENDED) {
            lastReceived = messenger.listened();
            guarded(() -> receive(message));
        }
    }

    @Override
    public void onWritable() {
        if (state == State.OPEN) {
            out.onWritable();
            sendAccountIfDue(); // before the rest of a long frame, so that credit does not wait for the rest
            out.sendRest();
            channel.flush();
            guarded(this::invite);
        }
    }

    @Override
    public void onClosed(String reason) {
        end(reason, false);
    }

    boolean offer(ByteBuffer frame) {
        offerRefused = !out.offer(frame);
        return !offerRefused;
    }

    void flush() {
        channel.flush();
    }

    void grantIfDue() {
        if (in.isGrantDue(session.held())) {
            accountDue = true;
            sendAccountIfDue();
            channel.flush();
        }
    }

    /** Ends the channel from this side and sends the reason. */
    void leave(ChannelEnding ending, String reason) {
        if (state == State.LINGERING || state == State.ENDED) {
            return;
        }
        boolean sent = channel != null && channel.offer(SessionProtocol.refuse(ending, reason));
        if (sent) {
            channel.flush();
        }
        finish(sent ? State.LINGERING : State.ENDED, reason, ending == ChannelEnding.REFUSED);
    }

    /** Closes a channel whose peer has not authenticated yet, to make room for a new channel. */
    void evict() {
        end("too many other channels were opened before the peer authenticated", false);
    }

    /**
     * Handles timeouts and heartbeats.
     *
     * @param now nanoseconds
     * @return when to check again at the latest
     */
    long tick(long now) {
        long left = limit() - (messenger.listened() - (state == State.OPEN ? lastReceived : since));
        if (left <= 0) {
            end(silence(), false);
        } else if (state == State.OPEN && now - accountSentAt >= options.heartbeatNanos()) {
            accountDue = true;
            sendAccountIfDue();
            channel.flush();
        }
        return now + Math.min(Math.max(left, 0), options.heartbeatNanos());
    }

    private long limit() {
        return switch (state) {
            case CONNECTING -> Long.MAX_VALUE;
            case GREETING, PROVING -> options.handshakeNanos();
            default -> options.silenceNanos();
        };
    }

    private String silence() {
        long millis = limit() / 1_000_000;
        return state == State.OPEN
                ? "no message from the peer for " + millis + " ms"
                : "the handshake was not complete after " + millis + " ms";
    }

    private void receive(ByteBuffer message) throws SessionProtocolException {
        SessionProtocol.need(message, 1, "message");
        byte kind = message.get();
        if (kind == SessionProtocol.REFUSE) {
            refusedByPeer(message);
        } else if (state == State.OPEN) {
            receiveOpen(kind, message);
        } else if (state == State.GREETING && kind == SessionProtocol.HELLO) {
            greet(message);
        } else if (state == State.PROVING && kind == SessionProtocol.PROOF) {
            prove(message);
        } else {
            throw unexpected(kind);
        }
    }

    private void refusedByPeer(ByteBuffer message) throws SessionProtocolException {
        ChannelEnding ending = SessionProtocol.ending(message);
        end("the peer ended the channel: " + SessionProtocol.text(message), ending == ChannelEnding.REFUSED);
    }

    private void greet(ByteBuffer message) throws SessionProtocolException {
        handshake.onHello(message);
        session = user.expect(handshake.peer());
        state = State.PROVING; // keeps the start time: the limit covers the whole handshake
        if (role == Role.CONNECTOR) {
            sayProof();
        } else {
            say(handshake.hello());
        }
    }

    private void prove(ByteBuffer message) throws SessionProtocolException {
        int credit = handshake.onProof(message);
        session = user.admit(handshake.peer(), handshake.channel());
        if (role == Role.LISTENER) {
            sayProof();
        }
        out = new FrameSender(channel, credit);
        messenger.authenticated(this);
        enter(State.OPEN);
        openedAt = messenger.now();
        accountSentAt = openedAt;
        session.opened(this, handshake.peer());
    }

    private void receiveOpen(byte kind, ByteBuffer message) throws SessionProtocolException {
        if (kind >= SessionProtocol.WHOLE && kind <= SessionProtocol.LAST) {
            ByteBuffer frame = in.receive(kind, message);
            if (frame != null) {
                int length = frame.remaining();
                session.deliver(frame);
                in.handled(length);
            }
        } else if (kind == SessionProtocol.ACCOUNT) {
            out.onAccount(message);
            invite();
        } else {
            throw unexpected(kind);
        }
    }

    private SessionProtocolException unexpected(byte kind) {
        return SessionProtocolException.garbage(
                "a message of kind " + kind + " arrived while the channel was " + state);
    }

    private void say(ByteBuffer message) throws SessionProtocolException {
        if (!channel.offer(message)) {
            throw SessionProtocolException.garbage("the channel has no room for the handshake");
        }
        channel.flush();
    }

    private void sayProof() throws SessionProtocolException {
        in = new FrameReceiver(options.creditBytes(), session.held());
        say(handshake.proof(in.firstCredit()));
    }

    private void sendAccountIfDue() {
        if (accountDue && out.send(in.account(session.held()))) {
            accountDue = false;
            accountSentAt = messenger.now();
        }
    }

    private void invite() {
        if (offerRefused && state == State.OPEN && out.isReady()) {
            offerRefused = false;
            session.writable();
        }
    }

    private void enter(State next) {
        state = next;
        since = messenger.listened();
        lastReceived = since;
    }

    /** Handles that the channel is closed, or closes it without sending a reason. */
    private void end(String reason, boolean refused) {
        if (state == State.LINGERING) {
            enter(State.ENDED);
            channel.close();
            messenger.forget(this);
        } else if (state != State.ENDED) {
            finish(State.ENDED, reason, refused);
        }
    }

    private void finish(State last, String reason, boolean refused) {
        boolean wasOpen = state == State.OPEN;
        enter(last);
        if (last == State.ENDED) {
            messenger.forget(this);
            if (channel != null) {
                channel.close();
            }
        }
        String line = peerName() + ": " + reason;
        user.ended(line, refused, wasOpen ? messenger.now() - openedAt : -1);
        if (wasOpen) {
            session.lost(out.loss(line, refused));
        }
    }

    private String peerName() {
        if (role == Role.CONNECTOR) {
            return user.toString();
        }
        String place = channel == null ? "" : " at " + channel.peer();
        return (handshake.hasPeer() ? "worker " + handshake.peer().worker() : "a peer") + place;
    }

    private void guarded(Step step) {
        try {
            step.run();
        } catch (SessionProtocolException e) {
            leave(e.ending(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the handler of the session with {} threw an exception; closing the channel", peerName(), e);
            leave(ChannelEnding.ERROR, "a handler threw " + e);
        }
    }

    private interface Step {
        void run() throws SessionProtocolException;
    }
}
