package io.updraft.transport.ucx;

import io.updraft.transport.PolledTimeout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * A socket over which two sides exchange their cards; the connecting side sends its card first. Owner of the transport only.
 */
final class PortExchange {

    private final PolledTimeout timeout;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final Consumer<String> failed;
    private final CardHandler handler;
    private final ByteBuffer in = ByteBuffer.allocate(PortMessage.BYTES);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private boolean isOver;

    /**
     * Starts the exchange.
     *
     * @param handler receives the other side's card, and returns the card to send in return, if any
     * @param failed receives the reason of a failure
     */
    PortExchange(
            SocketChannel socket,
            SelectionKey key,
            CardHandler handler,
            Consumer<String> failed,
            PolledTimeout timeout) {
        this.socket = socket;
        this.key = key;
        this.handler = handler;
        this.failed = failed;
        this.timeout = timeout;
        key.attach(this);
        key.interestOps(socket.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
    }

    /** Sends a card as soon as the socket takes it. */
    void show(PortMessage card) {
        out = card.encoded();
    }

    /** Continues with a socket that was connected at once. */
    void proceedConnected() throws IOException {
        write();
    }

    /** Handles the events for which the socket is ready. */
    void proceed() {
        try {
            if (key.isConnectable()) {
                socket.finishConnect();
                write();
            } else if (key.isReadable()) {
                read();
            } else if (key.isWritable()) {
                write();
            }
        } catch (IOException | UcxProtocolException refused) {
            close();
            failed.accept(String.valueOf(refused.getMessage()));
        }
    }

    private void write() throws IOException {
        socket.write(out);
        key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private void read() throws IOException, UcxProtocolException {
        if (socket.read(in) < 0) {
            throw new IOException("the connection was closed");
        }
        PortMessage card = PortMessage.decode(in);
        if (card == null) {
            return;
        }
        PortMessage answer = handler.shown(card);
        if (answer != null) {
            // A dozen bytes into an empty buffer: if they do not fit at once, they never will.
            socket.write(answer.encoded());
        }
        close();
    }

    /** Returns whether the exchange is over. A peer that sends nothing is closed after the connect timeout. */
    boolean isOver(long now) {
        if (!isOver && timeout.check(now)) {
            close();
        }
        return isOver;
    }

    /** Idempotent. */
    void close() {
        isOver = true;
        key.cancel();
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing can be done about a socket that does not close.
        }
    }

    /** Receives a card. */
    @FunctionalInterface
    interface CardHandler {

        /** Returns the card to send in return, or null for none. */
        PortMessage shown(PortMessage card) throws IOException;
    }
}
