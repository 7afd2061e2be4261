package io.updraft.observe.inspection;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection whose reads and writes have a time limit and a size limit. Used by one thread at a time. */
final class TimedChannel implements Closeable {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final SocketChannel channel;
    private final Selector selector;

    TimedChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        Selector opened = null;
        try {
            opened = Selector.open();
            channel.configureBlocking(false);
            channel.register(opened, 0);
        } catch (IOException e) {
            channel.close();
            if (opened != null) {
                opened.close();
            }
            throw e;
        }
        selector = opened;
    }

    /**
     * Reads one line, without its end. A line may end with the connection.
     *
     * @throws EOFException when the peer has closed the connection without a byte
     * @throws LongLineException when the line is too long
     * @throws SocketTimeoutException when the line is not complete in time
     */
    String readLine(int maxBytes, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (true) {
            await(SelectionKey.OP_READ, deadline);
            int read = channel.read(buffer.clear());
            int end = end(buffer.array(), read);
            line.write(buffer.array(), 0, Math.max(0, end));
            if (end < read) {
                return line.toString(StandardCharsets.UTF_8);
            }
            if (read < 0) {
                if (line.size() == 0) {
                    throw new EOFException("the connection was closed");
                }
                return line.toString(StandardCharsets.UTF_8);
            }
            if (line.size() > maxBytes) {
                throw new LongLineException("longer than " + maxBytes + " bytes");
            }
        }
    }

    /**
     * Writes a text and the end of the line. A peer may take them slowly.
     *
     * @param limit the longest time in which the peer takes nothing
     * @throws SocketTimeoutException when the peer takes nothing for longer
     */
    void writeLine(String text, Duration limit) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        while (rest.hasRemaining()) {
            if (channel.write(rest) == 0) {
                await(SelectionKey.OP_WRITE, System.nanoTime() + limit.toNanos());
            }
        }
    }

    /** Returns the position of the end of a line among the bytes that were read; their number if there is none. */
    private static int end(byte[] bytes, int read) {
        for (int i = 0; i < read; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return read;
    }

    /** {@return whether the peer has closed the connection; what it sent meanwhile is dropped} */
    boolean isPeerGone() {
        try {
            return channel.read(ByteBuffer.allocate(BUFFER_BYTES)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private void await(int operation, long deadline) throws IOException {
        channel.keyFor(selector).interestOps(operation);
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0 || selector.select(millis) == 0 && deadline - System.nanoTime() <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted");
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }

    /** A line is longer than the reader allows. */
    static final class LongLineException extends IOException {
        private static final long serialVersionUID = 1L;

        LongLineException(String message) {
            super(message);
        }
    }
}
