package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * The receiving half of an open channel: joins the parts of frames and enforces the peer's credit.
 *
 * <p>The whole length of a frame is charged to the credit when its first part arrives. Memory is allocated only as bytes
 * arrive, so a peer that announces 64 MiB and sends nothing occupies no memory.
 */
final class FrameReceiver {

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final int limit;
    private final int first;
    private ByteBuffer joined = NO_BYTES;
    /** Length of the frame whose parts are arriving; 0 if there is none. */
    private int announced;

    private long charged;
    private long granted;
    private long frames;
    private long bytes;

    /**
     * Creates the receiving half.
     *
     * @param limit the most bytes of frames that may be held unreleased
     * @param held bytes already held from earlier channels
     */
    FrameReceiver(int limit, long held) {
        this.limit = limit;
        first = (int) Math.max(0, limit - held);
        granted = first;
    }

    int firstCredit() {
        return first;
    }

    /**
     * Receives one message of a frame.
     *
     * @param part the message without the kind byte
     * @return the whole frame if this message completes it, otherwise null
     */
    ByteBuffer receive(byte kind, ByteBuffer part) throws SessionProtocolException {
        switch (kind) {
            case SessionProtocol.WHOLE:
                begin(part.remaining(), 1, part.remaining());
                announced = 0;
                return part.slice();
            case SessionProtocol.FIRST:
                SessionProtocol.need(part, Integer.BYTES, "first part of a frame");
                int length = part.getInt();
                begin(length, part.remaining() + 1, part.remaining());
                join(part);
                return null;
            case SessionProtocol.MIDDLE:
                append(part.remaining() < missing(), part);
                return null;
            default:
                append(part.remaining() == missing(), part);
                return complete();
        }
    }

    /** Counts a frame that the handler has received. */
    void handled(int length) {
        frames++;
        bytes += length;
    }

    /**
     * Returns whether at least half of the credit has come back since the last ACCOUNT. Waiting for half keeps the number of
     * ACCOUNT messages low.
     */
    boolean isGrantDue(long held) {
        return grant(held) - granted >= Math.max(1, limit / 2);
    }

    ByteBuffer account(long held) {
        granted = Math.max(granted, grant(held));
        ByteBuffer message = ByteBuffer.allocate(SessionProtocol.ACCOUNT_BYTES);
        return message.put(SessionProtocol.ACCOUNT)
                .putLong(frames)
                .putLong(bytes)
                .putLong(granted)
                .flip();
    }

    /**
     * Returns the total bytes that the peer may send since the channel opened, given the held bytes. Grows only, as frames are
     * released.
     */
    private long grant(long held) {
        return charged - announced + limit - held;
    }

    private void begin(int length, int least, int available) throws SessionProtocolException {
        if (announced != 0) {
            throw SessionProtocolException.garbage("a new frame begins before the previous frame is complete");
        }
        if (available < 1 || length < least || length > Session.MAX_FRAME) {
            throw SessionProtocolException.garbage("a frame of " + length + " bytes begins with " + available
                    + " bytes: a frame must have 1 to " + Session.MAX_FRAME);
        }
        if (charged >= granted) {
            throw SessionProtocolException.garbage("a frame of " + length + " bytes arrived without credit");
        }
        charged += length;
        announced = length;
    }

    private void append(boolean fits, ByteBuffer part) throws SessionProtocolException {
        if (announced == 0) {
            throw SessionProtocolException.garbage("a part arrived for a frame that has not begun");
        }
        if (!fits || !part.hasRemaining()) {
            throw SessionProtocolException.garbage("a part of a frame has " + part.remaining() + " bytes where "
                    + missing() + " of " + announced + " are missing");
        }
        join(part);
    }

    /** Does not keep the buffer for reuse: each of thousands of sessions may have had one long frame. */
    private ByteBuffer complete() {
        ByteBuffer frame = joined.flip();
        announced = 0;
        joined = NO_BYTES;
        return frame;
    }

    private int missing() {
        return announced - joined.position();
    }

    private void join(ByteBuffer part) {
        int needed = joined.position() + part.remaining();
        if (joined.capacity() < needed) {
            int more = Math.min(announced, Math.max(needed, 2 * joined.capacity()));
            joined = ByteBuffer.allocate(more).put(joined.flip());
        }
        joined.put(part);
    }
}
