package io.updraft.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What arrives from one publication of a peer; joins fragments to messages. Owner only. */
final class Inbound implements FragmentHandler {

    /** Longest of what is no DATA; room for a reason. */
    private static final int MOST_CONTROL = 1_024;

    private final Image image;
    private final int maxMessage;
    private final UnsafeBuffer joined = new UnsafeBuffer(0, 0);
    private int joinedBytes;
    private int expectedBytes;
    private boolean hasInput;
    private boolean broken;
    private Receiver receiver;

    /** Hears what arrives. */
    interface Receiver {

        /** A message; its bytes are valid during the call only. */
        void received(Inbound from, byte kind, DirectBuffer buffer, int offset, int length);

        /** What arrived is longer than allowed, or is no message of this protocol; nothing more comes. */
        void broken(String why);

        /** The peer's publication is gone. */
        void lost();
    }

    Inbound(Image image, int maxMessage, Receiver receiver) {
        this.image = image;
        this.maxMessage = maxMessage;
        this.receiver = receiver;
    }

    Image image() {
        return image;
    }

    void setReceiver(Receiver to) {
        receiver = to;
    }

    int poll(int most) {
        return image.poll(this, most);
    }

    void lost() {
        receiver.lost();
    }

    boolean hasInput() {
        hasInput = false;
        if (!image.isClosed()) {
            long position = image.position();
            long seen = image.controlledPeek(
                    position,
                    (buffer, offset, length, header) -> {
                        hasInput = true;
                        return Action.ABORT;
                    },
                    Long.MAX_VALUE);
            // At the end of a term there is padding, which the handler does not see, nor what is in the next term.
            hasInput |= seen != position;
        }
        return hasInput;
    }

    @Override
    public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        if (broken) {
            return;
        }
        byte flags = header.flags();
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0 && !begin(buffer, offset, length)) {
            return;
        }
        if ((flags & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED) {
            deliver(buffer, offset, length);
        } else {
            join(buffer, offset, length, (flags & FrameDescriptor.END_FRAG_FLAG) != 0);
        }
    }

    private boolean begin(DirectBuffer buffer, int offset, int length) {
        if (length < Wire.HEADER) {
            return fail("what came is no message of this protocol");
        }
        int body = buffer.getInt(offset + 1);
        int limit = buffer.getByte(offset) == Wire.DATA ? maxMessage : MOST_CONTROL;
        if (body < 0 || body > limit) {
            return fail("a message of " + body + " bytes came: the limit is " + limit);
        }
        expectedBytes = Wire.HEADER + body;
        joinedBytes = 0;
        return true;
    }

    private void join(DirectBuffer buffer, int offset, int length, boolean last) {
        if (joinedBytes + length > expectedBytes) {
            fail("what came is longer than it says");
            return;
        }
        if (joined.capacity() < expectedBytes) {
            joined.wrap(new byte[expectedBytes]);
        }
        joined.putBytes(joinedBytes, buffer, offset, length);
        joinedBytes += length;
        if (last) {
            deliver(joined, 0, joinedBytes);
        }
    }

    private void deliver(DirectBuffer buffer, int offset, int length) {
        if (length != expectedBytes) {
            fail("what came is not as long as it says");
            return;
        }
        receiver.received(this, buffer.getByte(offset), buffer, offset + Wire.HEADER, length - Wire.HEADER);
    }

    private boolean fail(String why) {
        broken = true;
        receiver.broken(why);
        return false;
    }
}
