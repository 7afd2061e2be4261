package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far files were read, kept in a small file that is replaced as a whole. Safe to use from any thread; writes are done on a
 * thread of its own, the newest state only.
 */
final class Positions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Positions.class);
    private static final String HEADER = "updraft-positions 1";
    private static final long TRY_AGAIN_MILLIS = 1_000;
    private static final long TELL_AGAIN_NANOS = 60_000_000_000L;

    /**
     * How far a file was read.
     *
     * @param commit up to where
     * @param identity which file it was
     * @param mark what it held up to the position, or some way before it; null if nobody knows
     */
    record Entry(Commit commit, FileIdentity identity, ContentMark mark) {
        String unit() {
            return commit.unit();
        }
    }

    private final Path file;
    private final FileChannel lockFile;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Thread writer = new Thread(this::write, "updraft-positions");
    private boolean dirty;
    private boolean closed;
    private long toldNanos;
    private boolean told;

    private Positions(Path file, FileChannel lockFile) {
        this.file = file;
        this.lockFile = lockFile;
        writer.setDaemon(true);
    }

    /**
     * Reads what is there, and keeps others from using it.
     *
     * @throws SourceException when the file cannot be read or made, is of somebody else, or is in use
     */
    static Positions open(Path file) throws SourceException {
        try {
            Path directory = file.toAbsolutePath().getParent();
            Files.createDirectories(directory);
            FileChannel lockFile = FileChannel.open(
                    directory.resolve(file.getFileName() + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            lock(file, lockFile);
            Positions positions = new Positions(file, lockFile);
            if (Files.exists(file)) {
                positions.read(Files.readAllLines(file, StandardCharsets.UTF_8));
            }
            positions.writer.start();
            return positions;
        } catch (IOException e) {
            throw new SourceException("state file " + file + ": " + FileFinder.reason(e), e);
        }
    }

    private static void lock(Path file, FileChannel lockFile) throws IOException, SourceException {
        FileLock lock = null;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            // In this process: told below, as for another one.
        }
        if (lock == null) {
            lockFile.close();
            throw new SourceException("state file " + file
                    + " is in use: this pipeline runs already; give another one its own name or state");
        }
    }

    private void read(List<String> lines) throws SourceException {
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new SourceException("state file " + file + ":1: this is no state of Updraft's; move it away");
        }
        for (int i = 1; i < lines.size(); i++) {
            Entry entry = parse(lines.get(i));
            if (entry == null) {
                throw new SourceException("state file " + file + ":" + (i + 1)
                        + ": this line is damaged; remove it, and its file is read from the start");
            }
            entries.put(entry.unit(), entry);
        }
    }

    private static Entry parse(String line) {
        String[] words = line.split("\t", 6);
        try {
            // Older versions have written no marks.
            String[] hash = words[4].split("/", 2);
            FileIdentity identity =
                    new FileIdentity(words[2], Integer.parseInt(words[3]), Long.parseUnsignedLong(hash[0], 16));
            ContentMark mark = hash.length < 2 ? null : ContentMark.parse(hash[1]);
            // Older versions have written no rows that were seen.
            String[] closed = words[1].split("/", 2);
            Seen seen = closed.length < 2 ? Seen.NONE : Seen.parse(closed[1]);
            return new Entry(
                    new Commit(words[5], Long.parseLong(words[0]), Long.parseLong(closed[0]), seen), identity, mark);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            return null;
        }
    }

    /** What is known of a file, whatever it was called; null if nothing. */
    synchronized Entry find(FileIdentity now, Path path) throws IOException {
        for (Entry entry : entries.values()) {
            if (entry.identity().key().equals(now.key()) && entry.identity().isStillOf(path) && isSame(entry, path)) {
                return entry;
            }
        }
        return null;
    }

    // A file that was cut and written anew may begin with the same header; the mark is of a plain file.
    private static boolean isSame(Entry entry, Path path) throws IOException {
        ContentMark mark = entry.mark();
        if (mark == null) {
            return true;
        }
        try (Content content = new Content(path)) {
            return content.isPacked() || content.holds(mark) || content.length() == 0 && mark.at() == 0;
        }
    }

    /** All that is known. */
    synchronized List<Entry> all() {
        return List.copyOf(entries.values());
    }

    /** What is known of a unit; null if nothing. */
    synchronized Entry get(String unit) {
        return entries.get(unit);
    }

    /** Remembers; it will be written soon. */
    synchronized void put(Entry entry) {
        entries.put(entry.unit(), entry);
        dirty = true;
        notifyAll();
    }

    /** Forgets a unit. */
    synchronized void remove(String unit) {
        entries.remove(unit);
        dirty = true;
        notifyAll();
    }

    /** Forgets everything: the next run begins anew. */
    synchronized void clear() {
        entries.clear();
        dirty = true;
        notifyAll();
    }

    private void write() {
        try {
            while (true) {
                String text = awaitText();
                if (text == null || !replace(text) && !waitToTryAgain()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted", e);
        }
    }

    /** What is to be written; null if there is nothing, and will be nothing. */
    private synchronized String awaitText() throws InterruptedException {
        while (!dirty && !closed) {
            wait();
        }
        boolean any = dirty;
        dirty = false;
        return any ? text() : null;
    }

    /** Whether what could not be written is to be tried again. */
    private synchronized boolean waitToTryAgain() throws InterruptedException {
        if (closed) {
            return false;
        }
        dirty = true;
        wait(TRY_AGAIN_MILLIS);
        return true;
    }

    private String text() {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (Entry entry : entries.values()) {
            FileIdentity identity = entry.identity();
            Commit commit = entry.commit();
            text.append(commit.position())
                    .append('\t')
                    .append(commit.closedUntil())
                    .append('/')
                    .append(commit.seen().text())
                    .append('\t')
                    .append(identity.key())
                    .append('\t')
                    .append(identity.length())
                    .append('\t')
                    .append(Long.toHexString(identity.hash()))
                    .append(entry.mark() == null ? "" : "/" + entry.mark().text())
                    .append('\t')
                    .append(entry.unit())
                    .append('\n');
        }
        return text.toString();
    }

    // The old state stays until the new one is whole and on the disk.
    private boolean replace(String text) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                // A disk that is nearly full takes a part first, and refuses the rest then.
                out.write(bytes);
            }
            out.force(true);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            told = false;
            return true;
        } catch (IOException e) {
            tell(e);
            return false;
        }
    }

    private void tell(IOException e) {
        long now = System.nanoTime();
        if (!told || now - toldNanos > TELL_AGAIN_NANOS) {
            told = true;
            toldNanos = now;
            LOG.warn(
                    "state file {} cannot be written ({}): after a crash, what was read since it was written last is read again",
                    file,
                    FileFinder.reason(e));
        }
    }

    /** Writes what is not written yet. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            writer.join();
            lockFile.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("lock of {}", file, e);
        }
    }
}
