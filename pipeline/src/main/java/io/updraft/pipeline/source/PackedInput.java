package io.updraft.pipeline.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/**
 * What a packed file holds. Where the packed data breaks off, it can be gone on when there is more of it: it is unpacked from its start
 * then, and what was read is passed over. One thread.
 */
final class PackedInput implements ChunkReader.Input, AutoCloseable {

    /** As long as it took to go on, so many times that it is not done again. */
    private static final long PAUSES = 10;

    private final FileChannel channel;
    private final Compression compression;
    private InputStream in;
    private long position;
    private long tried;
    private long notBefore = System.nanoTime();
    private IOException brokenOff;

    /** Is read from a position of what the file holds. */
    PackedInput(FileChannel channel, Compression compression, long position) throws IOException {
        this.channel = channel;
        this.compression = compression;
        this.position = position;
        begin();
    }

    private void begin() throws IOException {
        tried = channel.size();
        brokenOff = null;
        try {
            // The channel stays open when the stream is closed, which gives its memory back.
            channel.position(0);
            in = compression.unpack(new UnclosedStream(Channels.newInputStream(channel)));
            passOver(position);
        } catch (IOException e) {
            breakOff(e);
        }
    }

    // A copy that was made while the file was written may hold less than was read: there is nothing to be read of it
    // then.
    private void passOver(long bytes) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long left = bytes;
        for (int count = 0; count >= 0 && left > 0; left -= Math.max(0, count)) {
            count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        }
    }

    private void breakOff(IOException e) throws IOException {
        if (!Compression.isBrokenOff(e)) {
            throw e;
        }
        brokenOff = e;
        close();
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        int length = 0;
        try {
            while (length < most && brokenOff == null) {
                int count = in.read(bytes, from + length, most - length);
                if (count < 0) {
                    break;
                }
                length += count;
            }
        } catch (IOException e) {
            breakOff(e);
        }
        position += length;
        return length == 0 ? -1 : length;
    }

    /** Why there is no more, though there should be; null if the packed data has not broken off. */
    IOException brokenOff() {
        return brokenOff;
    }

    /** Whether a file of some size has lost what was read of it. */
    boolean isCut(long size) {
        return size < tried;
    }

    /** Goes on if there is more than when the data broke off, and if it is not much work to pass over what was read; says whether. */
    boolean goOn() throws IOException {
        long now = System.nanoTime();
        if (channel.size() <= tried || now < notBefore) {
            return false;
        }
        begin();
        notBefore = System.nanoTime() + PAUSES * (System.nanoTime() - now);
        return brokenOff == null;
    }

    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
        }
    }
}
