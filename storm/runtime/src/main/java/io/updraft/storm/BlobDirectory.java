package io.updraft.storm;

import io.updraft.storm.program.FileTree;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blobs on disk. Only one process at a time uses the directory:
 *
 * <pre>
 *   lock                     held while a process uses the directory
 *   incoming/                uploads in progress
 *   given/                   files that running topologies use
 *   keys/KEY/meta            key, version, Storm's description; a blob exists when this file exists
 *   keys/KEY/data-VERSION    contents
 * </pre>
 *
 * <p>The file {@code meta} is replaced by a rename. Whenever the process ends, a blob is therefore complete, in the old version
 * or in the new one. The next start removes files that a sudden end has left behind. Not safe for use by several threads.
 */
final class BlobDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlobDirectory.class);
    private static final String META = "meta";
    private static final int LONGEST_NAME = 255;

    private final Path root;
    private final FileChannel lockFile;
    private final TreeMap<String, Blob> blobs = new TreeMap<>();
    private long versions;

    /**
     * One blob: its contents, with a version greater than all earlier ones and the size in bytes, and Storm's description.
     */
    record Blob(String key, long version, Path file, long bytes, SettableBlobMeta meta) {}

    private BlobDirectory(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** Opens a directory, creating it if it does not exist; the message of an exception is one line for users. */
    static BlobDirectory open(Path root) throws IOException {
        try {
            Files.createDirectories(root.resolve("keys"));
        } catch (IOException e) {
            throw new IOException("cannot store blobs in " + root + ": " + e, e);
        }
        FileChannel lockFile =
                FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            lock(root, lockFile);
            BlobDirectory opened = new BlobDirectory(root, lockFile);
            opened.clean();
            opened.read();
            return opened;
        } catch (IOException e) {
            lockFile.close();
            throw e;
        }
    }

    private static void lock(Path root, FileChannel file) throws IOException {
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new IOException("another server uses the blobs in " + root + "; set blobstore.dir to another"
                    + " directory for this server");
        }
    }

    private void clean() throws IOException {
        FileTree.delete(incoming());
        FileTree.delete(given());
        Files.createDirectories(incoming());
        Files.createDirectories(given());
    }

    private void read() throws IOException {
        try (Stream<Path> keys = Files.list(root.resolve("keys"))) {
            for (Path directory : keys.toList()) {
                read(directory);
            }
        }
    }

    private void read(Path directory) throws IOException {
        Path meta = directory.resolve(META);
        if (!Files.exists(meta)) {
            FileTree.delete(directory);
            return;
        }
        try {
            Blob blob = readMeta(directory, meta);
            blobs.put(blob.key, blob);
            versions = Math.max(versions, blob.version);
            removeAllBut(directory, Set.of(META, blob.file.getFileName().toString()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot read the blob in {}, ignoring it; remove the directory, or restore it", directory, e);
        }
    }

    private static Blob readMeta(Path directory, Path meta) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(meta))) {
            String key = in.readUTF();
            long version = in.readLong();
            Path file = directory.resolve("data-" + version);
            SettableBlobMeta described = Utils.thriftDeserialize(SettableBlobMeta.class, in.readAllBytes());
            return new Blob(key, version, file, Files.size(file), described);
        }
    }

    private static void removeAllBut(Path directory, Set<String> kept) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (!kept.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    /**
     * Returns the directory for uploads in progress. It is in the same file system as the blobs, so that a file can be moved.
     */
    Path incoming() {
        return root.resolve("incoming");
    }

    private Path given() {
        return root.resolve("given");
    }

    Blob find(String key) {
        return blobs.get(key);
    }

    List<String> keys() {
        return new ArrayList<>(blobs.keySet());
    }

    long bytes() {
        return blobs.values().stream().mapToLong(Blob::bytes).sum();
    }

    /** Returns whether a key, encoded, is short enough for the name of a directory. */
    static boolean isShortEnough(String key) {
        return nameOf(key).length() <= LONGEST_NAME;
    }

    private static String nameOf(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    /** Moves a file from {@link #incoming} into place as a blob's new contents. If that fails, the blob is unchanged. */
    void put(String key, SettableBlobMeta meta, Path file) throws IOException {
        Path directory = Files.createDirectories(root.resolve("keys").resolve(nameOf(key)));
        long version = ++versions;
        Path data = directory.resolve("data-" + version);
        Blob before = blobs.get(key);
        try {
            long bytes = Files.size(file);
            Files.move(file, data, StandardCopyOption.ATOMIC_MOVE);
            write(directory, new Blob(key, version, data, bytes, meta));
        } catch (IOException e) {
            remove(before == null ? directory : data, e);
            throw e;
        }
        if (before != null) {
            Files.deleteIfExists(before.file);
        }
    }

    /** Removes a path after a failure. A failure to remove is added to the first one. */
    private static void remove(Path path, IOException failure) {
        try {
            FileTree.delete(path);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    void describe(String key, SettableBlobMeta meta) throws IOException {
        Blob blob = blobs.get(key);
        write(blob.file.getParent(), new Blob(key, blob.version, blob.file, blob.bytes, meta));
    }

    private void write(Path directory, Blob blob) throws IOException {
        Path next = directory.resolve(META + ".next");
        try (FileChannel channel = FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel))) {
            out.writeUTF(blob.key);
            out.writeLong(blob.version);
            out.write(Utils.thriftSerialize(blob.meta));
            channel.force(true);
        } catch (IOException e) {
            remove(next, e);
            throw e;
        }
        Files.move(next, directory.resolve(META), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        blobs.put(blob.key, blob);
    }

    void delete(String key) throws IOException {
        Blob blob = blobs.remove(key);
        Path directory = blob.file.getParent();
        Files.deleteIfExists(directory.resolve(META));
        FileTree.delete(directory);
    }

    /**
     * Creates a directory with one file for each of the given blobs, named by key. Later changes of the blobs do not change
     * these files.
     */
    Path link(Iterable<String> keys) throws IOException {
        Path directory = Files.createTempDirectory(given(), "topology-");
        try {
            for (String key : keys) {
                link(blobs.get(key).file, directory.resolve(key));
            }
            return directory;
        } catch (IOException e) {
            remove(directory, e);
            throw e;
        }
    }

    private static void link(Path file, Path to) throws IOException {
        try {
            Files.createLink(to, file);
        } catch (UnsupportedOperationException e) {
            Files.copy(file, to);
        }
    }

    @Override
    public void close() throws IOException {
        clean();
        lockFile.close();
    }
}
