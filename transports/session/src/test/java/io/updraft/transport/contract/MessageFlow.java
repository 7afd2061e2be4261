package io.updraft.transport.contract;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * One end of a channel over which both sides send known sequences of messages, as fast as they are taken, and check each byte
 * of what comes: order, loss, duplicates, contents.
 */
public final class MessageFlow extends ChannelRecorder {

    /** Messages that are offered in two have a first part of 0 to 70 bytes. */
    private static final int HEADS = 71;

    private final long seed;
    private final int toSend;
    private final Sizes sizes;
    private int sent;
    private int received;
    private long acceptedBytes;
    private long mostUnsent;
    private boolean refused;
    private ByteBuffer next;

    /**
     * Makes an end that sends as soon as it is open.
     *
     * @param seed of the contents; the same at both ends
     * @param toSend how many messages to send
     * @param sizes bytes of message number i
     */
    public MessageFlow(long seed, int toSend, Sizes sizes) {
        this.seed = seed;
        this.toSend = toSend;
        this.sizes = sizes;
    }

    /**
     * Gives sizes, most of them small, some as long as may be.
     *
     * @param seed of the sizes
     * @return bytes of message number i
     */
    public static Sizes mixed(long seed) {
        return (i, most) -> {
            SplittableRandom random = new SplittableRandom(seed * 31 + i);
            int kind = random.nextInt(100);
            int bound = kind < 70 ? 200 : kind < 96 ? 16 * 1024 : most;
            return i == 0 ? 1 : i == 1 ? most : 1 + random.nextInt(Math.min(bound, most));
        };
    }

    @Override
    protected void opened() {
        send();
    }

    @Override
    protected void writable() {
        send();
    }

    @Override
    protected void received(ByteBuffer message) {
        int expected = sizes.of(received, channel().maxMessage());
        if (message.remaining() != expected) {
            check(false, "message " + received + " has " + message.remaining() + " bytes, not " + expected);
        } else if (message.mismatch(message(seed, received, expected)) >= 0) {
            check(false, "message " + received + " has other contents");
        }
        received++;
    }

    /** Offers what is left until it is refused. */
    public void send() {
        refused = false;
        while (sent < toSend && !refused && !isClosed()) {
            offer();
        }
        channel().flush();
    }

    private void offer() {
        if (next == null) {
            next = message(seed, sent, sizes.of(sent, channel().maxMessage()));
        }
        int size = next.remaining();
        if (sent % 5 < 2 ? offerInTwo() : channel().offer(next)) {
            check(!next.hasRemaining(), "a message was taken, but its position is not at its limit");
            overwrite(next);
            next = null;
            sent++;
            acceptedBytes += size;
        } else {
            check(next.remaining() == size, "a message was refused, but its position moved");
            refused = true;
        }
        mostUnsent = Math.max(mostUnsent, channel().unsent());
    }

    /** As a session does, with its header before what another has written. */
    private boolean offerInTwo() {
        ByteBuffer head = next.duplicate();
        head.limit(next.position() + Math.min(next.remaining(), sent % HEADS));
        ByteBuffer body = next.duplicate();
        body.position(head.limit());
        int headBytes = head.remaining();
        int bodyBytes = body.remaining();
        boolean taken = channel().offer(head, body);
        check(head.remaining() == (taken ? 0 : headBytes), "the head's position is wrong");
        check(body.remaining() == (taken ? 0 : bodyBytes), "the body's position is wrong");
        next.position(taken ? next.limit() : next.position());
        return taken;
    }

    /** Whoever offers may reuse the memory. */
    private static void overwrite(ByteBuffer taken) {
        for (int i = 0; i < taken.limit(); i += 16) {
            taken.put(i, (byte) ~taken.get(i));
        }
    }

    /** Every other message is in direct memory, every third does not begin at 0, and every fourth can be compressed. */
    private static ByteBuffer message(long seed, int index, int size) {
        int offset = index % 3 == 0 ? 5 : 0;
        ByteBuffer message =
                index % 2 == 0 ? ByteBuffer.allocate(offset + size) : ByteBuffer.allocateDirect(offset + size);
        long state = seed * 0x9E3779B97F4A7C15L + index;
        for (int i = offset; i < offset + size; i++) {
            if (index % 4 != 3 || i % 50 == 0) {
                state = state * 6364136223846793005L + 1442695040888963407L;
            }
            message.put(i, (byte) (state >>> 56));
        }
        return message.position(offset);
    }

    /** {@return whether the last offer was refused} */
    public boolean isRefused() {
        return refused;
    }

    /** {@return whether all was sent} */
    public boolean hasSentAll() {
        return sent == toSend;
    }

    /** {@return messages taken} */
    public int sent() {
        return sent;
    }

    /** {@return bytes taken} */
    public long acceptedBytes() {
        return acceptedBytes;
    }

    /** {@return messages received} */
    public int received() {
        return received;
    }

    /** {@return the most bytes that were unsent at any time} */
    public long mostUnsent() {
        return mostUnsent;
    }

    /** How long messages are. */
    @FunctionalInterface
    public interface Sizes {

        /**
         * Gives the size of a message.
         *
         * @param index its number
         * @param most the most bytes of a message on this channel
         * @return its bytes
         */
        int of(int index, int most);
    }
}
