package io.updraft.transport.memory;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;

/** One end of a connection. */
final class MemoryChannel implements Channel {

    private final int maxMessage;
    private final String peer;
    private final Pipe out;
    private final Pipe in;
    private final ChannelHandler handler;
    private boolean opened;
    private String closeReason;
    private boolean done;

    MemoryChannel(int maxMessage, String peer, Pipe out, Pipe in, ChannelHandler handler) {
        this.maxMessage = maxMessage;
        this.peer = peer;
        this.out = out;
        this.in = in;
        this.handler = handler;
    }

    @Override
    public int maxMessage() {
        return maxMessage;
    }

    @Override
    public boolean offer(ByteBuffer head, ByteBuffer body) {
        int length = Channel.checkedLength(this, head, body);
        return closeReason == null && !in.isOver() && out.offer(head, body, length);
    }

    @Override
    public void flush() {
        if (closeReason == null) {
            out.pump();
        }
    }

    @Override
    public long unsent() {
        return out.unsent();
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        closeFor("closed by this side");
    }

    /** Whether the handler has heard of the end. */
    boolean isDone() {
        return done;
    }

    int poll() {
        try {
            return work();
        } catch (RuntimeException e) {
            closeFor("its handler failed: " + e);
            return 1;
        }
    }

    private int work() {
        int work = 0;
        if (!opened) {
            opened = true;
            work++;
            handler.onOpen(this);
        }
        if (closeReason == null) {
            work += out.pump() ? 1 : 0;
            work += invite() + deliver();
        }
        if (closeReason == null && in.isOver()) {
            closeFor(in.endReason());
        }
        if (closeReason != null && !done) {
            done = true;
            work++;
            handler.onClosed(closeReason);
        }
        return work;
    }

    private int invite() {
        if (!out.isWritableAgain()) {
            return 0;
        }
        handler.onWritable();
        return 1;
    }

    private int deliver() {
        int work = 0;
        while (closeReason == null && work < in.deliveriesPerPoll()) {
            byte[] message = in.next();
            if (message == null) {
                return work;
            }
            work++;
            handler.onMessage(ByteBuffer.wrap(message).asReadOnlyBuffer());
        }
        return work;
    }

    private void closeFor(String reason) {
        if (closeReason == null) {
            closeReason = reason;
            out.end();
        }
    }
}
