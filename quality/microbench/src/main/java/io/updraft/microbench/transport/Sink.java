package io.updraft.microbench.transport;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;

/** Receives numbered messages and checks that none is missing. */
final class Sink implements ChannelHandler {

    private final int length;
    private long received;
    private String closed;

    Sink(int length) {
        this.length = length;
    }

    /** {@return whether so many are there; throws when they will not come} */
    boolean has(long messages) {
        if (received < messages && closed != null) {
            throw new IllegalStateException("the channel was closed after " + received + " messages: " + closed);
        }
        return received >= messages;
    }

    @Override
    public void onOpen(Channel opened) {
        // It only listens.
    }

    @Override
    public void onMessage(ByteBuffer message) {
        long number = message.getLong(message.position() + 1);
        if (message.remaining() != length || number != received) {
            throw new IllegalStateException("message " + number + " of " + message.remaining() + " bytes came, not "
                    + received + " of " + length);
        }
        received++;
    }

    @Override
    public void onWritable() {
        // It offers nothing.
    }

    @Override
    public void onClosed(String reason) {
        closed = reason;
    }
}
