package io.updraft.pipeline.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A file to which lines are added and that is renamed when it is full. Several processes may add to the same one: each locks it as
 * long as it writes. Those who add take turns.
 */
final class LinesFile {

    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path path;
    private final int files;
    private final long maxBytes;
    /** Whether something was written that may not be on the disk. */
    private volatile boolean dirty;

    /** A file, of which there may be so many generations of so many bytes. */
    LinesFile(Path path, int files, long maxBytes) {
        this.path = path;
        this.files = files;
        this.maxBytes = maxBytes;
    }

    long maxBytes() {
        return maxBytes;
    }

    /** Opens the file and keeps other processes from writing to it. */
    Lock lock() throws IOException {
        Disk.folder(path);
        return new Lock();
    }

    /** Returns when what was added before is on the disk. Any thread, while others add. */
    synchronized void sync() throws IOException {
        if (!dirty) {
            return;
        }
        dirty = false;
        try {
            if (Files.isRegularFile(path)) {
                Disk.sync(path);
                Disk.syncFolder(Disk.folder(path));
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

    /** The file, open and locked. */
    final class Lock implements AutoCloseable {

        private FileChannel file;
        /** If not, it is a device, to which anybody may write, and which is never full. */
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

        /** Until the file that was opened is locked, and no other has taken its place meanwhile. */
        private void open() throws IOException {
            boolean mine = false;
            while (!mine) {
                Object before = identity(path);
                file = FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                try {
                    regular = Files.isRegularFile(path);
                    if (regular) {
                        awaitLock();
                    }
                    mine = before != null && before.equals(identity(path));
                } finally {
                    if (!mine) {
                        file.close();
                    }
                }
            }
            if (regular) {
                goToEnd();
            }
        }

        private void goToEnd() throws IOException {
            size = file.size();
            file.position(size);
            endLine();
        }

        private void awaitLock() throws IOException {
            long deadline = System.nanoTime() + LOCK_NANOS;
            while (tryLock() == null) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("another process has locked it for more than a second");
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        private FileLock tryLock() throws IOException {
            try {
                return file.tryLock();
            } catch (OverlappingFileLockException ofThisProcess) {
                return null;
            }
        }

        /** Half a line that a crash has left must not be the beginning of the next one. */
        private void endLine() throws IOException {
            ByteBuffer last = ByteBuffer.allocate(1);
            if (size > 0 && file.read(last, size - 1) == 1 && last.get(0) != '\n') {
                add(new Utf8().add('\n'));
            }
        }

        /** For how many more bytes there is room. */
        long room() {
            return regular ? maxBytes - size : Long.MAX_VALUE;
        }

        /** Adds all of it or nothing. */
        void add(Utf8 text) throws IOException {
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

        /** The file becomes the first of the older ones, each of these the next, and the last goes. */
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
