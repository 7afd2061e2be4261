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
 * Files that clients upload in chunks. Only the uploader learns the name of its file. Safe to use from any thread.
 *
 * <p>A file without a call for one hour is removed, as Nimbus does with its inbox.
 */
final class NimbusUploads implements AutoCloseable {
    private static final long EXPIRES_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Path directory;
    private final Map<String, Upload> uploads = new HashMap<>();

    public NimbusUploads(Path directory) {
        this.directory = directory;
    }

    public synchronized String begin(String prefix, String suffix) throws IOException {
        expire();
        Path file = directory.resolve(prefix + UUID.randomUUID() + suffix);
        FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        uploads.put(file.toString(), new Upload(file, out));
        return file.toString();
    }

    public synchronized void append(String name, ByteBuffer chunk) throws IOException {
        Upload upload = find(name);
        if (!upload.out.isOpen()) {
            throw new IOException("the upload '" + name + "' is already finished");
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
                "cannot write the upload to " + directory + ", removed the file: " + failure.getMessage(), failure);
    }

    /** Returns the total size of all files that were begun and not taken, in bytes. */
    synchronized long bytes() {
        return uploads.values().stream().mapToLong(upload -> upload.bytes).sum();
    }

    synchronized boolean isKnown(String name) {
        return uploads.containsKey(name);
    }

    /** Finishes a file, which can then be taken. */
    public synchronized void finish(String name) throws IOException {
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

    /** Hands over a finished file. The caller is responsible for it from now on. */
    public synchronized Path take(String name) throws IOException {
        Upload upload = find(name);
        if (upload.out.isOpen()) {
            throw new IOException("the upload '" + name + "' is not finished");
        }
        uploads.remove(name);
        return upload.file;
    }

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
            throw new IOException("there is no upload '" + name + "'; uploads expire after one hour without a call");
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
