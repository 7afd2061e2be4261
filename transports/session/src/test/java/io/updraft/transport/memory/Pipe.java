package io.updraft.transport.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** One direction of a connection: what was taken and not sent, and what is under way. Can be made to misbehave. */
public final class Pipe {

    private final int bufferBytes;
    private final int windowBytes;
    private final ArrayDeque<byte[]> taken = new ArrayDeque<>();
    private final ArrayDeque<byte[]> underWay = new ArrayDeque<>();
    private long takenBytes;
    private long underWayBytes;
    private boolean refused;
    private boolean ended;
    private String endReason = "closed by the peer";
    private int deliveriesPerPoll = Integer.MAX_VALUE;
    private UnaryOperator<byte[]> tamper = UnaryOperator.identity();

    Pipe(int bufferBytes, int windowBytes) {
        this.bufferBytes = bufferBytes;
        this.windowBytes = windowBytes;
    }

    /**
     * Makes the receiver slow: it is given so many messages a poll at the most. With 0 it hears nothing any more, not even
     * that the connection is closed.
     *
     * @param messages at most so many a poll
     */
    public void deliver(int messages) {
        deliveriesPerPoll = messages;
    }

    /**
     * Changes messages on their way.
     *
     * @param change gets each message as it is sent and gives what is delivered instead, null for nothing
     */
    public void tamper(UnaryOperator<byte[]> change) {
        tamper = change;
    }

    /**
     * Lets a message arrive that nobody has sent.
     *
     * @param message its bytes
     */
    public void inject(byte[] message) {
        if (!ended) {
            put(message.clone());
        }
    }

    /** {@return bytes that the sender holds} */
    public long unsent() {
        return takenBytes;
    }

    /** {@return bytes between sender and receiver} */
    public long underWay() {
        return underWayBytes;
    }

    boolean offer(ByteBuffer head, ByteBuffer body, int length) {
        if (ended) {
            return false; // the sender has yet to hear of it
        }
        if (takenBytes > 0 && takenBytes + length > bufferBytes) {
            refused = true;
            return false;
        }
        byte[] message = new byte[length];
        int headBytes = head.remaining();
        head.get(message, 0, headBytes);
        body.get(message, headBytes, length - headBytes);
        taken.add(message);
        takenBytes += length;
        return true;
    }

    /** Sends on what fits into the window; returns whether anything did. */
    boolean pump() {
        boolean moved = false;
        while (!taken.isEmpty() && underWayBytes < windowBytes) {
            byte[] bytes = taken.poll();
            takenBytes -= bytes.length;
            moved = true;
            byte[] changed = tamper.apply(bytes);
            if (changed != null) {
                put(changed);
            }
        }
        return moved;
    }

    /** Whether a refused sender should hear that there is room again; says so once. */
    boolean isWritableAgain() {
        boolean again = refused && takenBytes <= bufferBytes / 2;
        refused = refused && !again;
        return again;
    }

    int deliveriesPerPoll() {
        return deliveriesPerPoll;
    }

    byte[] next() {
        byte[] bytes = underWay.poll();
        if (bytes != null) {
            underWayBytes -= bytes.length;
        }
        return bytes;
    }

    /** Whether the receiver has got all that it will ever get, and should hear of the end. */
    boolean isOver() {
        return ended && underWay.isEmpty() && deliveriesPerPoll > 0;
    }

    String endReason() {
        return endReason;
    }

    /** The sender closed: what it had not sent is lost. */
    void end() {
        ended = true;
        taken.clear();
        takenBytes = 0;
    }

    /** The connection breaks: some first part of what is under way still arrives. */
    void cut(SplittableRandom random, String reason) {
        end();
        endReason = reason;
        int arrive = random.nextInt(underWay.size() + 1);
        while (underWay.size() > arrive) {
            underWayBytes -= underWay.removeLast().length;
        }
    }

    private void put(byte[] message) {
        underWay.add(message);
        underWayBytes += message.length;
    }
}
