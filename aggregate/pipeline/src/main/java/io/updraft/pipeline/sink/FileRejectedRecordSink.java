package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.Utf8Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes late records or dead letters to files of bounded size. Any thread may call it; one at a time writes. Lines wait in
 * memory until they are written, for as long as the disk is full.
 */
final class FileRejectedRecordSink extends RejectedRecordSink {

    /** Lines of this total size are written without a flush. */
    private static final int BLOCK = 1 << 18;

    private final Path path;
    private final RotatedFile file;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final Utf8Buffer block = new Utf8Buffer();
    private long nextWrite = BLOCK;
    private volatile long waiting;

    FileRejectedRecordSink(RejectedRecordSinkOptions.Lines options) {
        super(options.path().toString());
        path = options.path();
        file = new RotatedFile(path, options.files(), options.maxBytes() / options.files());
    }

    @Override
    public synchronized void accept(
            String partition, long position, String reason, byte[] bytes, int from, int length) {
        Utf8Buffer line = new Utf8Buffer();
        write(partition, position, reason, bytes, from, length, line);
        if (line.length() > file.maxBytes()) {
            drop(1, new IOException("a record of " + length + " bytes does not fit into a file"));
            return;
        }
        lines.addLast(line.toArray());
        waiting += line.length();
        if (waiting >= nextWrite) {
            writeAhead();
        }
    }

    private static void write(
            String partition, long position, String reason, byte[] bytes, int from, int length, Utf8Buffer out) {
        out.add("{\"unit\":");
        JsonText.string(partition, out);
        out.add(",\"position\":").add(Long.toString(position)).add(",\"reason\":");
        JsonText.string(reason, out);
        if (isText(bytes, from, length)) {
            out.add(",\"record\":");
            JsonText.string(bytes, from, length, out);
        } else {
            byte[] record = Arrays.copyOfRange(bytes, from, from + length);
            out.add(",\"base64\":\"")
                    .add(Base64.getEncoder().encodeToString(record))
                    .add('"');
        }
        out.add('}').add('\n');
    }

    private static boolean isText(byte[] bytes, int from, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Writes before the flush; the flush reports a failure. */
    private void writeAhead() {
        try {
            writeOut();
        } catch (IOException e) {
            // The lines wait in memory.
        }
        nextWrite = waiting + BLOCK;
    }

    private void writeOut() throws IOException {
        if (lines.isEmpty()) {
            return;
        }
        try (RotatedFile.Lock held = file.lock()) {
            while (!lines.isEmpty()) {
                int count = fillBlock(held.capacity());
                if (count == 0) {
                    held.rotate();
                } else {
                    held.add(block);
                    written(count);
                }
            }
        }
    }

    /** Fills the block with as many lines as fit, up to about {@link #BLOCK} bytes; returns how many. */
    private int fillBlock(long capacity) {
        block.clear();
        int count = 0;
        for (byte[] line : lines) {
            if (block.length() + line.length > capacity || block.length() >= BLOCK) {
                break;
            }
            block.add(line, 0, line.length);
            count++;
        }
        return count;
    }

    private void written(int count) {
        for (int i = 0; i < count; i++) {
            waiting -= lines.removeFirst().length;
        }
    }

    @Override
    public void flush() throws SinkException {
        try {
            synchronized (this) {
                writeOut();
                nextWrite = BLOCK;
            }
            file.sync();
        } catch (IOException e) {
            SinkException failure = DurableFiles.cannotWrite(path, e);
            if (failure.isTransient()) {
                throw failure;
            }
            giveUp(e);
        }
    }

    private synchronized void giveUp(IOException cause) {
        drop(lines.size(), cause);
        written(lines.size());
    }

    @Override
    public long waiting() {
        return waiting;
    }

    @Override
    public void close() {
        try {
            flush();
        } catch (SinkException e) {
            giveUp(new IOException(e.getMessage(), e));
        }
    }

    /**
     * A file to which lines are appended and that is rotated when it is full. Several processes may append to the same file: each
     * locks it while it writes. Threads of a process must take turns.
     */
    private static final class RotatedFile {

        private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

        private final Path path;
        private final int files;
        private final long maxBytes;
        /** Whether some bytes may not be on the disk yet. */
        private volatile boolean dirty;

        /** Creates a file with at most {@code files} generations of {@code maxBytes} bytes each. */
        RotatedFile(Path path, int files, long maxBytes) {
            this.path = path;
            this.files = files;
            this.maxBytes = maxBytes;
        }

        long maxBytes() {
            return maxBytes;
        }

        Lock lock() throws IOException {
            DurableFiles.folder(path);
            return new Lock();
        }

        /** Returns when all bytes added so far are on the disk. Any thread may call it while others append. */
        synchronized void sync() throws IOException {
            if (!dirty) {
                return;
            }
            dirty = false;
            try {
                if (Files.isRegularFile(path)) {
                    DurableFiles.sync(path);
                    DurableFiles.syncFolder(DurableFiles.folder(path));
                }
            } catch (IOException e) {
                dirty = true;
                throw e;
            }
        }

        private Path numbered(int i) {
            return i == 0 ? path : path.resolveSibling(path.getFileName() + "." + i);
        }

        private static Object identity(Path path) throws IOException {
            return Files.exists(path)
                    ? Files.readAttributes(path, BasicFileAttributes.class).fileKey()
                    : null;
        }

        final class Lock implements AutoCloseable {

            private FileChannel file;
            /** False for a device, to which any process may write, and which is never full. */
            private boolean regular;

            private long size;

            private Lock() throws IOException {
                try {
                    open();
                } catch (IOException | RuntimeException e) {
                    close();
                    throw e;
                }
            }

            /** Opens the file until it is locked and no other file has taken its place in the meantime. */
            private void open() throws IOException {
                boolean unchanged = false;
                while (!unchanged) {
                    Object before = identity(path);
                    file = FileChannel.open(
                            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    try {
                        regular = Files.isRegularFile(path);
                        if (regular) {
                            awaitLock();
                        }
                        unchanged = before != null && before.equals(identity(path));
                    } finally {
                        if (!unchanged) {
                            file.close();
                        }
                    }
                }
                if (regular) {
                    size = file.size();
                    file.position(size);
                    endLine();
                }
            }

            private void awaitLock() throws IOException {
                long deadline = System.nanoTime() + LOCK_NANOS;
                while (!DurableFiles.tryLock(file)) {
                    if (System.nanoTime() > deadline) {
                        throw new IOException("another process has locked it for more than a second");
                    }
                    LockSupport.parkNanos(POLL_NANOS);
                }
            }

            /** Ends a partial line that a crash has left, so that the next line does not continue it. */
            private void endLine() throws IOException {
                ByteBuffer last = ByteBuffer.allocate(1);
                if (size > 0 && file.read(last, size - 1) == 1 && last.get(0) != '\n') {
                    add(new Utf8Buffer().add('\n'));
                }
            }

            long capacity() {
                return regular ? maxBytes - size : Long.MAX_VALUE;
            }

            /** Appends the whole text or nothing. */
            void add(Utf8Buffer text) throws IOException {
                dirty = true;
                try {
                    text.writeTo(Channels.newOutputStream(file));
                    size += text.length();
                } catch (IOException e) {
                    if (regular) {
                        file.truncate(size);
                        file.position(size);
                    }
                    throw e;
                }
            }

            /** Renames the file to generation 1, each generation to the next, and deletes the last one. */
            void rotate() throws IOException {
                file.force(false);
                for (int i = files - 2; i >= 0; i--) {
                    Path from = numbered(i);
                    if (Files.exists(from)) {
                        Files.move(from, numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
                if (files == 1) {
                    Files.deleteIfExists(path);
                }
                file.close();
                open();
            }

            @Override
            public void close() throws IOException {
                if (file != null) {
                    file.close();
                }
            }
        }
    }
}
