package io.updraft.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The messages from one publication of a peer; reassembles fragments. Owner only. */
final class ImageReader implements FragmentHandler {

    /** Most bytes of a message that is not DATA; leaves room for a reason. */
    private static final int MAX_CONTROL = 1_024;

    final Image image;
    private final int maxMessage;
    private final UnsafeBuffer joined = new UnsafeBuffer(0, 0);
    private int joinedBytes;
    private int expectedBytes;
    private boolean hasInput;
    private boolean broken;
    private Receiver receiver;

    @FunctionalInterface
    interface Receiver {

        /** Ignores the messages of publications that have no channel. */
        Receiver IGNORE = (reader, kind, buffer, offset, length) -> {};

        /** Receives a message; its bytes are valid during the call only. */
        void received(ImageReader reader, byte kind, DirectBuffer buffer, int offset, int length);

        /** Called when a message is longer than allowed, or is not of this protocol; no more messages follow. */
        default void broken(String reason) {}

        /** Called when the peer's publication has ended. */
        default void lost() {}
    }

    ImageReader(Image image, int maxMessage, Receiver receiver) {
        this.image = image;
        this.maxMessage = maxMessage;
        this.receiver = receiver;
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
            // At the end of a term there is padding: the handler does not see the padding, nor the messages of the next
            // term.
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
        if (length < AeronProtocol.HEADER) {
            return fail("a message that is not of this protocol");
        }
        int body = buffer.getInt(offset + 1);
        int limit = buffer.getByte(offset) == AeronProtocol.DATA ? maxMessage : MAX_CONTROL;
        if (body < 0 || body > limit) {
            return fail("a message of " + body + " bytes instead of at most " + limit);
        }
        expectedBytes = AeronProtocol.HEADER + body;
        joinedBytes = 0;
        return true;
    }

    private void join(DirectBuffer buffer, int offset, int length, boolean last) {
        if (joinedBytes + length > expectedBytes) {
            fail("a message that is longer than announced");
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
            fail("a message that is shorter than announced");
            return;
        }
        receiver.received(
                this, buffer.getByte(offset), buffer, offset + AeronProtocol.HEADER, length - AeronProtocol.HEADER);
    }

    private boolean fail(String reason) {
        broken = true;
        receiver.broken(reason);
        return false;
    }
}
