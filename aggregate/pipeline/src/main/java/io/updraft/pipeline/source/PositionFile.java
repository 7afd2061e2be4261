package io.updraft.pipeline.source;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.sink.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The positions of files, stored in a small file that is replaced as a whole. Safe to use from any thread. A thread of its own
 * writes the newest state.
 */
final class PositionFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PositionFile.class);
    private static final String HEADER = "updraft-positions 2";
    /** The header of older versions, which wrote names as they are. */
    private static final String UNESCAPED = "updraft-positions 1";

    private static final long TRY_AGAIN_MILLIS = 1_000;
    /** After a write, the pause lasts this many times as long as it took to prepare the text: it is long for many files. */
    private static final long PAUSES = 10;

    private static final long WARN_AGAIN_NANOS = 60_000_000_000L;

    /**
     * The position of a file.
     *
     * @param mark the content up to the position, or to a point before or after it; null if unknown
     */
    record Entry(PartitionPosition commit, FileIdentity identity, ContentFingerprint mark) {
        String partition() {
            return commit.partition();
        }

        /** Returns how many of the first bytes have a hash. */
        int head() {
            return mark == null ? identity.length() : mark.head();
        }

        long headHash() {
            return mark == null ? identity.hash() : mark.headHash();
        }
    }

    private final Path file;
    private final FileChannel lockFile;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** The entries by the key of their identity, then by partition. */
    private final Map<String, Map<String, Entry>> byKey = new HashMap<>();
    /** The partitions that are not in use, by the first bytes of their files. */
    private final ContentFingerprint.Index<String> unused =
            new ContentFingerprint.Index<>(Comparator.<String>naturalOrder());

    private final Set<String> used = new HashSet<>();

    private final Thread writer = DaemonThreads.create("updraft-positions", this::write);
    private boolean dirty;
    private boolean closed;
    private long warnedNanos;
    private boolean warned;

    private PositionFile(Path file, FileChannel lockFile) {
        this.file = file;
        this.lockFile = lockFile;
    }

    /**
     * Reads the positions, and locks the file against other processes. Throws a {@link SourceException} when the file cannot be
     * read or created, has another format, or is in use.
     */
    static PositionFile open(Path file) throws SourceException {
        try {
            FileChannel lockFile = FileChannel.open(
                    DurableFiles.folder(file).resolve(file.getFileName() + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (!DurableFiles.tryLock(lockFile)) {
                lockFile.close();
                throw new SourceException(
                        "state file " + file
                                + " is in use: this pipeline is already running; give another pipeline its own 'name' or 'state'");
            }
            PositionFile positions = new PositionFile(file, lockFile);
            positions.readFile();
            positions.writer.start();
            return positions;
        } catch (MalformedInputException e) {
            throw new SourceException("state file " + file + " is damaged: it is not UTF-8; move it away", e);
        } catch (IOException e) {
            throw new SourceException("state file " + file + ": " + FileFinder.reason(e), e);
        }
    }

    private void readFile() throws IOException, SourceException {
        if (!Files.exists(file)) {
            return;
        }
        try {
            // Only the line feed ends a line: older versions wrote names as they are.
            read(List.of(Files.readString(file, StandardCharsets.UTF_8).split("\n")));
        } catch (IOException | SourceException e) {
            lockFile.close();
            throw e;
        }
    }

    private void read(List<String> lines) throws SourceException {
        boolean escaped = !lines.isEmpty() && lines.get(0).equals(HEADER);
        if (!escaped && (lines.isEmpty() || !lines.get(0).equals(UNESCAPED))) {
            throw new SourceException("state file " + file + ":1: this is not a state file of Updraft; move it away");
        }
        for (int i = 1; i < lines.size(); i++) {
            Entry entry = parse(lines.get(i), escaped);
            if (entry == null) {
                throw new SourceException("state file " + file + ":" + (i + 1)
                        + ": this line is damaged; remove the line to read its file from the start");
            }
            store(entry);
        }
    }

    private static Entry parse(String line, boolean escaped) {
        String[] words = line.split("\t", 6);
        try {
            // Older versions wrote no marks.
            String[] hash = words[4].split("/", 2);
            FileIdentity identity = new FileIdentity(
                    name(words[2], escaped), Integer.parseInt(words[3]), Long.parseUnsignedLong(hash[0], 16));
            ContentFingerprint mark = hash.length < 2 ? null : ContentFingerprint.parse(hash[1]);
            // Older versions wrote no seen rows.
            String[] closed = words[1].split("/", 2);
            ProcessedRanges seen = closed.length < 2 ? ProcessedRanges.NONE : ProcessedRanges.parse(closed[1]);
            return new Entry(
                    new PartitionPosition(
                            name(words[5], escaped), Long.parseLong(words[0]), Long.parseLong(closed[0]), seen),
                    identity,
                    mark);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            return null;
        }
    }

    private static String name(String text, boolean escaped) {
        return escaped ? EscapedText.unescape(text) : text;
    }

    /** Returns the entry of a file, under whatever name; null if there is none. */
    synchronized Entry find(FileIdentity now, Path path) throws IOException {
        for (Entry entry : byKey.getOrDefault(now.key(), Map.of()).values()) {
            if (entry.identity().isStillOf(path) && isSame(entry, path)) {
                return entry;
            }
        }
        return null;
    }

    // A file that was cut and rewritten may begin with the same header. The mark is of a plain file.
    private static boolean isSame(Entry entry, Path path) throws IOException {
        ContentFingerprint mark = entry.mark();
        if (mark == null) {
            return true;
        }
        try (UnpackedContent content = new UnpackedContent(path)) {
            return content.isPacked() || content.holds(mark) || content.length() == 0 && mark.at() == 0;
        }
    }

    synchronized List<Entry> all() {
        return List.copyOf(entries.values());
    }

    /** Returns the entries of partitions that are not in use and whose files begin as a content. */
    synchronized List<Entry> unused(byte[] content) {
        return unused.beginningOf(content).stream()
                .flatMap(Set::stream)
                .map(entries::get)
                .toList();
    }

    /** Records that a partition is read: its file is no origin of another one until {@link #release}. */
    synchronized void use(String partition) {
        used.add(partition);
        removeHead(entries.get(partition));
    }

    /** Records that the file of a partition is gone, and was committed in full. */
    synchronized void release(String partition) {
        used.remove(partition);
        addHead(entries.get(partition));
    }

    private void addHead(Entry entry) {
        if (entry != null && !used.contains(entry.partition())) {
            unused.add(entry.head(), entry.headHash(), entry.partition());
        }
    }

    private void removeHead(Entry entry) {
        if (entry != null) {
            unused.remove(entry.head(), entry.headHash(), entry.partition());
        }
    }

    synchronized Entry get(String partition) {
        return entries.get(partition);
    }

    /** Stores an entry; the writer thread writes it soon. */
    synchronized void put(Entry entry) {
        store(entry);
        markDirty();
    }

    private void store(Entry entry) {
        String key = entry.identity().key();
        Entry before = entries.put(entry.partition(), entry);
        if (before != null && !before.identity().key().equals(key)) {
            removeKey(before);
        }
        byKey.computeIfAbsent(key, added -> new LinkedHashMap<>(2)).put(entry.partition(), entry);
        if (!used.contains(entry.partition())) {
            removeHead(before);
            addHead(entry);
        }
    }

    private void removeKey(Entry entry) {
        byKey.computeIfPresent(entry.identity().key(), (key, same) -> {
            same.remove(entry.partition());
            return same.isEmpty() ? null : same;
        });
    }

    synchronized void remove(String partition) {
        Entry removed = entries.remove(partition);
        if (removed != null) {
            removeKey(removed);
            removeHead(removed);
        }
        markDirty();
    }

    synchronized void clear() {
        entries.values().forEach(this::removeHead);
        entries.clear();
        byKey.clear();
        markDirty();
    }

    private void markDirty() {
        dirty = true;
        notifyAll();
    }

    private void write() {
        try {
            for (List<Entry> state = awaitState(); state != null; state = awaitState()) {
                long began = System.nanoTime();
                String text = text(state);
                long pause = PAUSES * (System.nanoTime() - began);
                if (!replace(text) && !waitToTryAgain()) {
                    return;
                }
                waitUnlessClosed(TimeUnit.NANOSECONDS.toMillis(pause));
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted", e);
        }
    }

    /** Waits for entries to write; returns null if there are none and this is closed. */
    private synchronized List<Entry> awaitState() throws InterruptedException {
        while (!dirty && !closed) {
            wait();
        }
        boolean changed = dirty;
        dirty = false;
        return changed ? all() : null;
    }

    private synchronized void waitUnlessClosed(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0 && !closed; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            wait(left);
        }
    }

    /** Waits after a failed write; returns whether to try again. */
    private synchronized boolean waitToTryAgain() throws InterruptedException {
        if (closed) {
            return false;
        }
        dirty = true;
        wait(TRY_AGAIN_MILLIS);
        return true;
    }

    // Other threads store entries meanwhile.
    private static String text(List<Entry> entries) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (Entry entry : entries) {
            append(entry, text);
        }
        return text.toString();
    }

    private static void append(Entry entry, StringBuilder text) {
        FileIdentity identity = entry.identity();
        PartitionPosition commit = entry.commit();
        text.append(commit.position())
                .append('\t')
                .append(commit.closedUntil())
                .append('/')
                .append(commit.processed().text())
                .append('\t')
                .append(EscapedText.escape(identity.key()))
                .append('\t')
                .append(identity.length())
                .append('\t')
                .append(Long.toHexString(identity.hash()))
                .append(entry.mark() == null ? "" : "/" + entry.mark().text())
                .append('\t')
                .append(EscapedText.escape(entry.partition()))
                .append('\n');
    }

    // The old state stays until the new one is complete on disk.
    private boolean replace(String text) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(fresh, text);
            DurableFiles.sync(fresh);
            DurableFiles.replace(fresh, file);
            warned = false;
            return true;
        } catch (IOException e) {
            warn(e);
            return false;
        }
    }

    private void warn(IOException e) {
        long now = System.nanoTime();
        if (!warned || now - warnedNanos > WARN_AGAIN_NANOS) {
            warned = true;
            warnedNanos = now;
            LOG.warn(
                    "state file {} cannot be written ({}): after a crash, records since the last write are read again",
                    file,
                    FileFinder.reason(e));
        }
    }

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
