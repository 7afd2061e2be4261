package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * The receiving half of an open channel: joins the parts of frames, and sees to it that the peer keeps to its credit.
 *
 * <p>A frame counts against the credit as soon as it is announced, but memory is taken only as its bytes come: whoever
 * announces 64 MiB and sends nothing costs nothing.
 */
final class Inbound {

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final int limit;
    private final int first;
    private ByteBuffer joined = NO_BYTES;
    /** Bytes of the frame whose parts are coming; 0 if there is none. */
    private int announced;

    private long charged;
    private long granted;
    private long frames;
    private long bytes;

    /**
     * Begins to receive.
     *
     * @param limit bytes of frames that may be held unreleased
     * @param held bytes that are held already, from channels that were before
     */
    Inbound(int limit, long held) {
        this.limit = limit;
        first = (int) Math.max(0, limit - held);
        granted = first;
    }

    int firstCredit() {
        return first;
    }

    /**
     * Takes one message of a frame.
     *
     * @param kind which part of it
     * @param part the message from behind its kind
     * @return the whole frame, if this completes it; otherwise null
     */
    ByteBuffer take(byte kind, ByteBuffer part) throws ProtocolException {
        switch (kind) {
            case Wire.WHOLE:
                begin(part.remaining(), 1, part.remaining());
                announced = 0;
                return part.slice();
            case Wire.FIRST:
                Wire.need(part, Integer.BYTES, "first part of a frame");
                int length = part.getInt();
                begin(length, part.remaining() + 1, part.remaining());
                join(part);
                return null;
            case Wire.MIDDLE:
                goOn(part.remaining() < missing(), part);
                return null;
            default:
                goOn(part.remaining() == missing(), part);
                return complete();
        }
    }

    /** The handler was given a frame. */
    void handled(int length) {
        frames++;
        bytes += length;
    }

    /** Whether so much credit has come back that the peer should know; in halves, so that few messages tell of it. */
    boolean isGrantDue(long held) {
        return grant(held) - granted >= Math.max(1, limit / 2);
    }

    ByteBuffer account(long held) {
        granted = Math.max(granted, grant(held));
        ByteBuffer message = ByteBuffer.allocate(Wire.ACCOUNT_BYTES);
        return message.put(Wire.ACCOUNT)
                .putLong(frames)
                .putLong(bytes)
                .putLong(granted)
                .flip();
    }

    /** What the peer may send since the channel opened, given what is held: grows only, as frames are released. */
    private long grant(long held) {
        return charged - announced + limit - held;
    }

    private void begin(int length, int least, int here) throws ProtocolException {
        if (announced != 0) {
            throw ProtocolException.garbage("a frame begins before the one before it ends");
        }
        if (here < 1 || length < least || length > Session.MAX_FRAME) {
            throw ProtocolException.garbage("a frame of " + length + " bytes begins with " + here
                    + " bytes: a frame has 1 to " + Session.MAX_FRAME);
        }
        if (charged >= granted) {
            throw ProtocolException.garbage("a frame of " + length + " bytes comes without credit");
        }
        charged += length;
        announced = length;
    }

    private void goOn(boolean fits, ByteBuffer part) throws ProtocolException {
        if (announced == 0) {
            throw ProtocolException.garbage("part of a frame comes that has not begun");
        }
        if (!fits || !part.hasRemaining()) {
            throw ProtocolException.garbage("part of a frame has " + part.remaining() + " bytes where " + missing()
                    + " of " + announced + " are missing");
        }
        join(part);
    }

    /** The buffer is not kept: thousands of sessions may each have had one long frame. */
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
