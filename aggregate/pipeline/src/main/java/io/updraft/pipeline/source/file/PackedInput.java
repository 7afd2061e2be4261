package io.updraft.pipeline.source.file;

import io.updraft.pipeline.line.ChunkReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;

/**
 * The unpacked content of a packed file. Where packed data is truncated, reading can continue once the file has grown: the file
 * is unpacked from its start again, and the part that was read is skipped. One thread.
 */
final class PackedInput implements ChunkReader.Input, AutoCloseable {

    /** After an attempt to continue, the pause lasts this many times as long as the attempt took. */
    private static final long PAUSES = 10;

    private final FileChannel channel;
    private final StreamCompression compression;
    private InputStream in;
    private long position;
    private long tried;
    private long notBefore = System.nanoTime();
    private IOException brokenOff;

    PackedInput(FileChannel channel, StreamCompression compression, long position) throws IOException {
        this.channel = channel;
        this.compression = compression;
        this.position = position;
        begin();
    }

    private void begin() throws IOException {
        tried = channel.size();
        brokenOff = null;
        try {
            // Closing the stream releases its memory, but leaves the channel open.
            in = compression.unpack(channel);
            passOver(position);
        } catch (IOException e) {
            breakOff(e);
        }
    }

    // A copy made while the file was written may hold less than was read; then it has nothing more to read.
    private void passOver(long bytes) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long left = bytes;
        for (int count = 0; count >= 0 && left > 0; left -= Math.max(0, count)) {
            count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        }
    }

    private void breakOff(IOException e) throws IOException {
        if (!StreamCompression.isBrokenOff(e)) {
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

    /** Returns the error of truncated packed data; null if the data is not truncated. */
    IOException brokenOff() {
        return brokenOff;
    }

    /** Returns whether a size is smaller than the part of the file that was read. */
    boolean isCut(long size) {
        return size < tried;
    }

    /**
     * Continues if the file has grown since the truncation, and the pause after the last attempt is over. Returns whether it
     * continues.
     */
    boolean resume() throws IOException {
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
