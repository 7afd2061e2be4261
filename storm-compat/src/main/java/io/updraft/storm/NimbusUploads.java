package io.updraft.storm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Files that clients send in chunks, each under a name that only its sender was told. Safe to use from any thread.
 *
 * <p>A file that nobody has sent to or asked for in an hour is removed, as Nimbus does with its inbox.
 */
final class NimbusUploads implements AutoCloseable {
    private static final long EXPIRES_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Path directory;
    private final Map<String, Upload> uploads = new HashMap<>();

    NimbusUploads(Path directory) {
        this.directory = directory;
    }

    /** Begins a file; returns its name. */
    synchronized String begin(String prefix, String suffix) throws IOException {
        expire();
        Path file = directory.resolve(prefix + UUID.randomUUID() + suffix);
        FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        uploads.put(file.toString(), new Upload(file, out));
        return file.toString();
    }

    /** Appends to a file that is being sent. */
    synchronized void append(String name, ByteBuffer chunk) throws IOException {
        Upload upload = find(name);
        if (!upload.out.isOpen()) {
            throw new IOException("the upload '" + name + "' was finished already");
        }
        upload.touched = System.nanoTime();
        try {
            while (chunk.hasRemaining()) {
                upload.bytes += upload.out.write(chunk);
            }
        } catch (IOException e) {
            throw removed(name, upload, e);
        }
    }

    private IOException removed(String name, Upload upload, IOException failure) {
        uploads.remove(name);
        try {
            upload.discard();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return new IOException(
                "what was sent could not be written to " + directory + " and was removed: " + failure.getMessage(),
                failure);
    }

    /** How long all files are together that were begun and not taken. */
    synchronized long bytes() {
        return uploads.values().stream().mapToLong(upload -> upload.bytes).sum();
    }

    synchronized boolean isKnown(String name) {
        return uploads.containsKey(name);
    }

    /** Ends a file; it can be taken from now on. */
    synchronized void finish(String name) throws IOException {
        Upload upload = find(name);
        upload.touched = System.nanoTime();
        try {
            if (upload.out.isOpen()) {
                upload.out.force(true);
            }
            upload.out.close();
        } catch (IOException e) {
            throw removed(name, upload, e);
        }
    }

    /** Hands out a finished file, for which the caller is answerable from now on. */
    synchronized Path take(String name) throws IOException {
        Upload upload = find(name);
        if (upload.out.isOpen()) {
            throw new IOException("the upload '" + name + "' was not finished");
        }
        uploads.remove(name);
        return upload.file;
    }

    /** Forgets a file. */
    synchronized void cancel(String name) throws IOException {
        find(name).discard();
        uploads.remove(name);
    }

    @Override
    public synchronized void close() throws IOException {
        for (Upload upload : uploads.values()) {
            upload.discard();
        }
        uploads.clear();
    }

    private Upload find(String name) throws IOException {
        Upload upload = uploads.get(name);
        if (upload == null) {
            throw new IOException("there is no upload '" + name + "'; it may have been left alone for an hour");
        }
        return upload;
    }

    private void expire() throws IOException {
        long now = System.nanoTime();
        for (Iterator<Upload> all = uploads.values().iterator(); all.hasNext(); ) {
            Upload upload = all.next();
            if (now - upload.touched > EXPIRES_NANOS) {
                upload.discard();
                all.remove();
            }
        }
    }

    private static final class Upload {
        private final Path file;
        private final FileChannel out;
        private long touched = System.nanoTime();
        private long bytes;

        private Upload(Path file, FileChannel out) {
            this.file = file;
            this.out = out;
        }

        private void discard() throws IOException {
            out.close();
            Files.deleteIfExists(file);
        }
    }
}
