package io.updraft.examples.wordcount;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The lines of a stream whose reads may block. A separate thread reads at most {@value #AHEAD} lines ahead, so that the spout
 * never blocks and can process acks.
 */
final class StandardInputLines implements LineSource {
    private static final int AHEAD = 1024;

    private final BlockingQueue<String> ahead = new LinkedBlockingQueue<>(AHEAD);
    private final Thread thread;
    private volatile IOException failure;
    private volatile boolean endOfInput;

    StandardInputLines(InputStream in) {
        thread = new Thread(() -> readAll(in), "wordcount-stdin");
        thread.setDaemon(true);
        thread.start();
    }

    // The stream is not closed: it belongs to the process.
    @SuppressWarnings("resource")
    private void readAll(InputStream in) {
        ByteLineReader reader = new ByteLineReader(in);
        try {
            for (String line = reader.next(); line != null; line = reader.next()) {
                ahead.put(line);
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endOfInput = true;
    }

    @Override
    public String poll() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return ahead.poll();
    }

    @Override
    public boolean exhausted() {
        return endOfInput && ahead.isEmpty() && failure == null;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
