package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * A file that is read: its identity, its position and its state. If rotation moves the file, reading continues in the new file.
 * Belongs to the thread that reads; any thread may read the volatile fields.
 */
final class TrackedFile implements AutoCloseable {
    private final PartitionPosition begin;
    private volatile FileIdentity identity;
    private final LineFormat format;
    private final boolean followed;
    final FileFingerprints marks;
    private final LineCounts lines = new LineCounts();
    private volatile Path path;
    private FileChannel next;
    private boolean compressed;
    private boolean missed;
    private boolean cut;
    private boolean shorter;
    private long from;
    private OpenFile content;
    final LastCheck check = new LastCheck();
    private volatile long bytesRead;
    private volatile long size;
    /** The position of its end; -1 before the end. */
    private volatile long end = -1;

    private volatile boolean gone;
    private volatile boolean forgotten;
    private long damagedAt = -1;

    TrackedFile(PositionFile.Entry beginning, Path path, LineFormat format, boolean followed, long size) {
        begin = beginning.commit();
        identity = beginning.identity();
        marks = new FileFingerprints(beginning.mark());
        from = begin.position();
        this.path = path;
        this.format = format;
        this.followed = followed;
        this.size = size;
    }

    String partition() {
        return begin.partition();
    }

    FileIdentity identity() {
        return identity;
    }

    Path path() {
        return path;
    }

    void renamedTo(Path newPath) {
        path = newPath;
    }

    /** Returns the number of the line of a byte; empty if it cannot be counted, or another content is at the path. Any thread. */
    OptionalLong lineAt(long position) {
        try (FileChannel channel = identity.open(path)) {
            return channel == null ? OptionalLong.empty() : lines.lineAt(position, channel);
        } catch (IOException e) {
            // The file is gone, cut or damaged; the byte is known.
            return OptionalLong.empty();
        }
    }

    SourceEvent opened() {
        return new RecordSource.Event.Opened(begin);
    }

    boolean isOpen() {
        return content != null && content.isOpen();
    }

    /** Returns whether the channel is closed for a while. A file that is gone, cut or continued elsewhere needs none. */
    boolean isSuspended() {
        return content != null && !content.isOpen() && !gone && !cut && next == null;
    }

    /** Returns whether there may be more to read; for a suspended file, whether there was. */
    boolean isDue() throws IOException {
        return content.isDue();
    }

    /** Closes the channel, and keeps all else. Returns false if the channel is needed. */
    boolean suspend() throws IOException {
        return !isOpen() || !(gone && content.isDue()) && content.suspend(identity.key());
    }

    /** Opens the channel again. Returns false if another file has the name. */
    boolean wake() throws IOException {
        return content.wake(path, identity.key());
    }

    boolean isCompressed() {
        return compressed;
    }

    void open() throws IOException {
        if (content == null) {
            use(FileChannel.open(path, StandardOpenOption.READ));
        }
    }

    /** Opens the file and returns whether its identity is still the same. Another file may have taken its name. */
    boolean openSame() throws IOException {
        FileChannel channel = identity.open(path);
        if (channel != null) {
            use(channel);
        }
        return channel != null;
    }

    /** Opens the file again after an error: its channel may belong to a file system that is no longer mounted. */
    void reopen() throws IOException {
        if (!gone && !cut && next == null) {
            openSame();
        }
    }

    /** Reads on from a channel, which {@link #close} closes. */
    void use(FileChannel channel) {
        long line = content == null ? 0 : content.resumeLine();
        from = content == null ? from : content.resumeAt();
        OpenFile.release(content);
        content = new OpenFile(partition(), channel, identity, format, from, line);
    }

    SourceEvent next() throws IOException, SourceException {
        long before = content.resumeAt();
        long line = content.resumeLine();
        try {
            SourceEvent event = content.next(followed && !gone);
            compressed = content.isPacked();
            if (event != null && !compressed && !mark(before, line)) {
                return null;
            }
            if (compressed) {
                marks.addPacked(event, content.channel);
            }
            bytesRead = content.bytesRead();
            return event;
        } catch (IOException e) {
            // The bytes read so far are read again.
            content.goBack(before, line);
            throw e;
        }
    }

    /** Marks the position of a plain file. Returns false if the file was cut or rewritten before the last read. */
    private boolean mark(long before, long line) throws IOException {
        if (followed && !content.holds(marks.plain)) {
            cut = true;
            content.goBack(before, line);
            return false;
        }
        marks.plain.keep(before, content.position(), content.channel);
        marks.plain.add(content.mark());
        identity = content.grown(identity);
        return true;
    }

    /** Returns whether the bytes that were read end within a record. */
    boolean hasPartOfLine() {
        return content != null && content.hasPartOfRecord();
    }

    IOException brokenOff() {
        return content == null ? null : content.brokenOff();
    }

    /** Returns the error of damaged packed data; null if there is none. */
    IOException damage() {
        return content == null ? null : content.damage();
    }

    SourceEvent last() throws IOException, SourceException {
        SourceEvent event = content == null ? null : content.last();
        if (event != null && compressed) {
            marks.addPacked(event, content.channel);
        } else if (event != null && !followed) {
            // Only then is the file known to be as it was read.
            marks.plain.add(content.mark());
        }
        bytesRead = size;
        return event;
    }

    /** Checks whether an open file was cut or rewritten since it was read. */
    boolean isCut() throws IOException {
        size = next == null ? content.channel.size() : size;
        cut = cut || next == null && !compressed && !shorter && content.isRewritten(size, marks.plain);
        return cut || next == null && compressed && content.isShorter(size);
    }

    /** Records that a closed file was cut: another content is at its path, under its number. */
    void markCutAt(Path other) {
        cut = cut || next == null && path.equals(other) && content != null && !content.isOpen() && !compressed;
    }

    /** Returns whether the file was found cut, so that reading waits for its copy. */
    boolean waitsForCopy() {
        return cut;
    }

    /** Returns bytes of a plain file, or of the file that continues it, independently of the position. */
    byte[] bytes(long at, int length) throws IOException {
        FileChannel open = next == null && isOpen() ? content.channel : next;
        return open == null ? UnpackedContent.bytes(path, at, length) : UnpackedContent.bytes(open, at, length);
    }

    /** Returns a mark of the whole file if it is plain, not empty, removed, not ended and not cut; else null. */
    ContentFingerprint whole() throws IOException {
        return !gone || content == null || cut || compressed ? null : content.whole(identity.key());
    }

    /** Sets the file that continues this one with the same positions: a copy or a packed version. */
    void continuesIn(Path other, FileIdentity otherIdentity) throws IOException {
        FileChannel opened = otherIdentity.open(other);
        if (opened == null) {
            throw new NoSuchFileException(other.toString());
        }
        next = opened;
        missed = false;
        size = opened.size();
        path = other;
        identity = otherIdentity;
        gone = false;
        forgotten = false;
        if (end >= 0) {
            cut = false;
            compressed = StreamCompression.of(opened) != StreamCompression.NONE;
            closeNext();
        }
    }

    /** Continues in the file of {@link #continuesIn}. False if there is none, or if it was cut: then this file is gone. */
    boolean resume() throws IOException {
        if (next == null) {
            return false;
        }
        if (!identity.isStillOf(next)) {
            markGone();
            return false;
        }
        use(next);
        size = next.size();
        next = null;
        cut = false;
        compressed = false;
        shorter = size < from;
        return true;
    }

    /** Returns whether an existing file has ended: packed and complete, or a copy without the bytes read last. */
    boolean hasNoMore() {
        return isCompressed() ? brokenOff() == null : shorter && content.isBegun();
    }

    /** Returns whether the file was removed or cut, and no other file continues it yet. */
    boolean isLeft() {
        return next == null && (gone || cut);
    }

    void markMissed() {
        missed = true;
    }

    boolean isMissed() {
        return missed;
    }

    /** Returns whether the file exists and is plain: a file with the same beginning may be an incomplete copy. */
    boolean isWhole() {
        return !gone && !compressed;
    }

    long position() {
        long read = content == null ? from : content.position();
        return end >= 0 ? end : read;
    }

    void markEnd() {
        long at = position();
        try {
            if (isOpen()) {
                cut = cut || gone && !compressed && isCut();
                damagedAt = damage() == null ? -1 : content.readable();
                size = content.channel.size();
            }
            compressed = compressed || content != null && content.isPacked();
            ContentFingerprint mark = followed && !cut && content != null ? content.endMark() : null;
            if (mark != null) {
                identity = content.grown(identity);
                marks.plain.add(mark);
            }
        } catch (IOException e) {
            // The mark of the last chunk remains.
        }
        end = at;
    }

    /** Marks a packed file that was read to its end before. */
    void markFinished() {
        compressed = true;
        forgotten = true;
        end = from;
    }

    /** Returns how many bytes of damaged packed data can be unpacked; -1 if no damage was found. */
    long damagedAt() {
        return damagedAt;
    }

    /** Gives up the identity: another file has it. */
    void replaced() {
        identity = FileIdentity.NONE;
    }

    /** Returns the end of a file that was read in full; null if the bytes there are not known. */
    PositionFile.Entry ending() {
        ContentFingerprint last = marks.plain.last();
        if (cut || !compressed && (last == null || last.at() != end)) {
            return null;
        }
        return endingAt(compressed ? null : last);
    }

    /** Returns the end of a file, with a mark of its content. */
    PositionFile.Entry endingAt(ContentFingerprint mark) {
        PartitionPosition last = new PartitionPosition(partition(), end, begin.closedUntil(), begin.processed());
        return new PositionFile.Entry(last, identity, mark);
    }

    /** Returns whether this file, which was missing, is at a path: with its first bytes, and those before the position. */
    boolean isBackAt(Path other) throws IOException {
        boolean possible = !cut && next == null && identity.isStillOf(other);
        return possible
                && UnpackedContent.isAt(other, compressed, content != null && !content.isBegun(), marks.plain.last());
    }

    /** Goes on with a file that was missing. Its channel may belong to a file system that is no longer mounted. */
    void backAt(Path other) throws IOException {
        use(FileChannel.open(other, StandardOpenOption.READ));
        path = other;
        compressed = false;
        gone = false;
    }

    long end() {
        return end;
    }

    void markGone() {
        gone = true;
        closeNext();
    }

    boolean isGone() {
        return gone;
    }

    void markForgotten() {
        forgotten = true;
    }

    /** Returns whether the file can be forgotten: it is gone, and committed in full. */
    boolean isOver() {
        return gone && forgotten;
    }

    long bytesRead() {
        return bytesRead;
    }

    long size() {
        return size;
    }

    private void closeNext() {
        OpenFile.release(next);
        next = null;
    }

    @Override
    public void close() {
        closeNext();
        from = position();
        OpenFile.release(content);
        content = null;
    }
}
