package io.updraft.transport.session;

import io.updraft.transport.Channel;
import java.nio.ByteBuffer;

/**
 * The sending half of an open channel: observes the credit, splits long frames, and tracks the frames that the peer has
 * received.
 */
final class FrameSender {

    private final Channel channel;
    private final int longest;
    /** The header of each message of a frame. The channel copies the header before offer returns, so it can be reused. */
    private final ByteBuffer header = ByteBuffer.allocate(SessionProtocol.FIRST_HEADER);

    private long granted;
    private long frames;
    private long bytes;
    private long knownFrames;
    private long knownBytes;
    /** Whether the channel has refused a message and has not reported room since. */
    private boolean full;
    /** The rest of a taken frame for which the channel had no room; null if there is none. */
    private ByteBuffer unsent;

    FrameSender(Channel channel, int credit) {
        this.channel = channel;
        longest = channel.maxMessage();
        granted = credit;
    }

    boolean isReady() {
        return !full && unsent == null && bytes < granted;
    }

    /** Offers a frame; see {@link Session#offer}. */
    boolean offer(ByteBuffer frame) {
        int length = frame.remaining();
        if (length < 1 || length > Session.MAX_FRAME) {
            throw new IllegalArgumentException(
                    "a frame of " + length + " bytes was offered: the size must be from 1 to " + Session.MAX_FRAME);
        }
        if (!isReady()
                || !(SessionProtocol.PART_HEADER + length <= longest ? sendWhole(frame) : sendFirst(frame, length))) {
            return false;
        }
        frames++;
        bytes += length;
        sendParts(frame);
        if (frame.hasRemaining()) {
            unsent = ByteBuffer.allocate(frame.remaining()).put(frame).flip();
        }
        return true;
    }

    /** Sends a message of the session itself. Returns false if there is no room. */
    boolean send(ByteBuffer message) {
        full = full || !channel.offer(message);
        return !full;
    }

    void onWritable() {
        full = false;
    }

    /** Sends the rest of a frame as far as there is room. */
    void sendRest() {
        if (unsent != null && !full) {
            sendParts(unsent);
            unsent = unsent.hasRemaining() ? unsent : null;
        }
    }

    /** Reads an ACCOUNT, without the kind byte. */
    void onAccount(ByteBuffer message) throws SessionProtocolException {
        SessionProtocol.needExactly(message, SessionProtocol.ACCOUNT_BYTES - 1, "ACCOUNT");
        long receivedFrames = message.getLong();
        long receivedBytes = message.getLong();
        long newGranted = message.getLong();
        if (receivedFrames < knownFrames
                || receivedFrames > frames
                || receivedBytes < knownBytes
                || receivedBytes > bytes) {
            throw SessionProtocolException.garbage(
                    "an ACCOUNT acknowledges " + receivedFrames + " frames, " + receivedBytes
                            + " bytes, but " + frames + ", " + bytes + " were sent and " + knownFrames + ", "
                            + knownBytes + " acknowledged before");
        }
        if (newGranted < granted || newGranted > bytes + Integer.MAX_VALUE) {
            throw SessionProtocolException.garbage("an ACCOUNT grants " + newGranted + " bytes, but " + granted
                    + " were granted before and " + bytes + " were sent");
        }
        knownFrames = receivedFrames;
        knownBytes = receivedBytes;
        granted = newGranted;
    }

    SessionLoss loss(String reason, boolean refused) {
        return new SessionLoss(reason, frames - knownFrames, bytes - knownBytes, refused);
    }

    private boolean sendWhole(ByteBuffer frame) {
        return send(header.clear().put(SessionProtocol.WHOLE).flip(), frame);
    }

    private boolean sendFirst(ByteBuffer frame, int length) {
        header.clear().put(SessionProtocol.FIRST).putInt(length).flip();
        return sendPart(frame, longest - SessionProtocol.FIRST_HEADER);
    }

    private void sendParts(ByteBuffer source) {
        boolean sent = true;
        while (sent && source.hasRemaining()) {
            int part = Math.min(source.remaining(), longest - SessionProtocol.PART_HEADER);
            header.clear()
                    .put(part == source.remaining() ? SessionProtocol.LAST : SessionProtocol.MIDDLE)
                    .flip();
            sent = sendPart(source, part);
        }
    }

    /** Sends the header and the next bytes of a frame. Without room, the position of the frame does not move. */
    private boolean sendPart(ByteBuffer source, int part) {
        int limit = source.limit();
        source.limit(source.position() + part);
        boolean sent = send(header, source);
        source.limit(limit);
        return sent;
    }

    private boolean send(ByteBuffer head, ByteBuffer body) {
        full = full || !channel.offer(head, body);
        return !full;
    }
}
