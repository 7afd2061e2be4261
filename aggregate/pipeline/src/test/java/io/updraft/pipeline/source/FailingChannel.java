package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** The channel of a file on a disk that fails for a while, from some read on. */
final class FailingChannel extends FileChannel {

    private final FileChannel file;
    private int readsLeft = Integer.MAX_VALUE;

    FailingChannel(FileChannel file) {
        this.file = file;
    }

    /** Lets so many reads succeed; all later ones fail. */
    void failAfter(int reads) {
        readsLeft = reads;
    }

    private void check() throws IOException {
        if (readsLeft-- <= 0) {
            throw new IOException("Input/output error");
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        check();
        return file.read(into);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        check();
        return file.read(into, position);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
