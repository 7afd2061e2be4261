package io.updraft.transport.contract;

import io.updraft.transport.Channel;
import io.updraft.transport.ChannelHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A handler that remembers what it hears, and notes whatever a transport must not do: callbacks out of order, from several
 * threads, or after the end. Subclasses add what to do when something arrives.
 */
public class ChannelRecorder implements ChannelHandler {

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<byte[]> messages = new ArrayList<>();
    private Thread owner;
    private Channel channel;
    private boolean ending;
    private String reason;
    private int writable;

    @Override
    public final void onOpen(Channel opened) {
        check(channel == null, "onOpen came twice");
        check(reason == null, "onOpen came after onClosed");
        channel = opened;
        opened();
    }

    @Override
    public final void onMessage(ByteBuffer message) {
        check(channel != null, "onMessage came before onOpen");
        check(reason == null, "onMessage came after onClosed");
        check(!ending, "onMessage came after close()");
        check(message.hasRemaining(), "an empty message");
        received(message);
    }

    @Override
    public final void onWritable() {
        check(channel != null, "onWritable came before onOpen");
        check(reason == null, "onWritable came after onClosed");
        writable++;
        writable();
    }

    @Override
    public final void onClosed(String why) {
        check(reason == null, "onClosed came twice");
        check(why != null && !why.isBlank() && why.lines().count() == 1, "the reason is not one line: " + why);
        reason = String.valueOf(why);
        closed();
    }

    /** Called when the channel is open. */
    protected void opened() {}

    /**
     * Called with each message; keeps it unless overridden.
     *
     * @param message the message
     */
    protected void received(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        messages.add(bytes);
    }

    /** Called when there is room again. */
    protected void writable() {}

    /** Called when the channel has closed. */
    protected void closed() {}

    /** {@return the channel, null before onOpen} */
    public final Channel channel() {
        return channel;
    }

    /** {@return whether onOpen has come} */
    public final boolean isOpened() {
        return channel != null;
    }

    /** {@return whether onClosed has come} */
    public final boolean isClosed() {
        return reason != null;
    }

    /** {@return why it closed, null before} */
    public final String reason() {
        return reason;
    }

    /** {@return how often there was room again} */
    public final int writableCount() {
        return writable;
    }

    /** {@return the messages that were kept} */
    public final List<byte[]> messages() {
        return messages;
    }

    /** Closes the channel, and expects to hear of nothing but that. */
    public final void close() {
        ending = true;
        channel.close();
    }

    /** {@return what the transport has done that it must not do} */
    public final List<String> violations() {
        return List.copyOf(violations);
    }

    /**
     * Notes a violation.
     *
     * @param holds what must be true
     * @param otherwise the violation if it is not
     */
    protected final void check(boolean holds, String otherwise) {
        if (owner == null) {
            owner = Thread.currentThread();
        } else if (owner != Thread.currentThread()) {
            violations.add("a callback came from another thread: " + Thread.currentThread());
        }
        if (TransportOwner.isAwaiting()) {
            violations.add("a callback came from within await");
        }
        if (!holds) {
            violations.add(otherwise);
        }
    }
}
