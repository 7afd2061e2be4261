package io.updraft.microbench.transport;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;

/**
 * Sends numbered messages as a session does: its own head, followed by a body that another component has written to the heap.
 */
final class Source implements ChannelHandler {

    private static final int HEAD = 1;

    /** Messages between two flushes. */
    private static final int MOST_AT_ONCE = 64;

    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private final ByteBuffer body;
    private Channel channel;
    private long sent;
    private long toSend;

    Source(int length) {
        body = ByteBuffer.allocate(length - HEAD);
    }

    boolean isOpen() {
        return channel != null;
    }

    Void sendUpTo(long all) {
        toSend = all;
        send();
        return null;
    }

    @Override
    public void onOpen(Channel opened) {
        channel = opened;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        throw new IllegalStateException("nothing is expected here");
    }

    @Override
    public void onWritable() {
        send();
    }

    private void send() {
        boolean taken = true;
        while (taken && sent < toSend) {
            taken = channel.offer(head.clear(), body.clear().putLong(0, sent));
            sent += taken ? 1 : 0;
            if (sent % MOST_AT_ONCE == 0) {
                channel.flush();
            }
        }
        channel.flush();
    }

    @Override
    public void onClosed(String reason) {
        if (channel == null) {
            throw new IllegalStateException("the channel does not open: " + reason);
        }
    }
}
