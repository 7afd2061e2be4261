package io.updraft.pipeline.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is read: which one it is, how far it was read, and what has become of it. If rotation has made another one of it, it goes on in
 * that. The thread that reads; but what is volatile may be looked at by any.
 */
final class TrackedFile implements AutoCloseable {

    private final Commit begin;
    private volatile FileIdentity identity;
    private final LineFormat format;
    private final boolean followed;
    private final Marks marks;
    private Path path;
    private FileChannel next;
    private boolean compressed;
    private boolean missed;
    private boolean cut;
    private boolean shorter;
    private long from;
    private OpenFile content;
    private volatile long bytesRead;
    private volatile long size;
    private volatile long end = -1;
    private volatile boolean gone;
    private volatile boolean forgotten;

    /** Not opened yet: it is read from a position on. */
    TrackedFile(Beginnings.Beginning beginning, Path path, LineFormat format, boolean followed, long size) {
        begin = beginning.commit();
        identity = beginning.identity();
        marks = new Marks(beginning.mark());
        from = begin.position();
        this.path = path;
        this.format = format;
        this.followed = followed;
        this.size = size;
    }

    String unit() {
        return begin.unit();
    }

    FileIdentity identity() {
        return identity;
    }

    /** What it held when it was read. */
    Marks marks() {
        return marks;
    }

    Path path() {
        return path;
    }

    void renamedTo(Path newPath) {
        path = newPath;
    }

    Source.Event opened() {
        return new Source.Event.Opened(begin);
    }

    boolean isOpen() {
        return content != null;
    }

    boolean isCompressed() {
        return compressed;
    }

    void open() throws IOException {
        content = new OpenFile(unit(), FileChannel.open(path, StandardOpenOption.READ), format, from);
    }

    /** Opens it; whether it is the file that it was taken for: meanwhile another one may have taken its name. */
    boolean openSame() throws IOException {
        open();
        if (identity.isOf(path, content.channel())) {
            return true;
        }
        close();
        return false;
    }

    /** The next records; null if there are no whole ones now. */
    Source.Event next() throws IOException, SourceException {
        long before = content.resumeAt();
        Source.Event event = content.next(followed && !gone);
        compressed = content.isPacked();
        if (event != null && !compressed && !mark(before)) {
            return null;
        }
        bytesRead = content.bytesRead();
        return event;
    }

    /** Marks how far a plain file was read; false if what was read last is no longer what followed. */
    private boolean mark(long before) throws IOException {
        if (followed && !isSame()) {
            cut = true;
            content.goBack(before);
            return false;
        }
        // Of a file that has just begun there was little to know it by.
        FileChannel channel = content.channel();
        identity = identity.grown(channel);
        marks.add(ContentMark.of(identity, channel, content.position()));
        marks.keep(before, content.position(), channel);
        return true;
    }

    /** Whether an open file still has what was read of it: its first bytes, and those before where it was read up to. */
    private boolean isSame() throws IOException {
        FileChannel channel = content.channel();
        ContentMark last = marks.last();
        return identity.isStillOf(channel)
                && (last == null
                        || last.hash()
                                == ContentMark.of(identity, channel, last.at()).hash());
    }

    /** Why a packed file cannot be read on, if it breaks off before its end; null if it does not. */
    IOException brokenOff() {
        return content == null ? null : content.brokenOff();
    }

    /** What is left at its end, without a line feed; null if there is nothing. */
    Source.Event last() throws SourceException {
        Source.Event event = content == null ? null : content.last();
        bytesRead = size;
        return event;
    }

    /** Looks whether a file that is open was cut, or written anew, since it was read. */
    boolean isCut() throws IOException {
        size = next == null ? content.channel().size() : size;
        if (!cut && compressed) {
            return content.isShorter(size);
        }
        cut = cut || !shorter && content.isReadPlain() && (content.isShorter(size) || !isSame());
        return cut;
    }

    /** Whether it was found to be cut, and is not read. */
    boolean waitsForCopy() {
        return cut;
    }

    /** Bytes of a plain file, or of the one that it goes on in, wherever it was read up to. */
    byte[] bytes(long at, int length) throws IOException {
        if (content == null) {
            try (FileChannel again = FileChannel.open(path, StandardOpenOption.READ)) {
                return Content.bytes(again, at, length);
            }
        }
        return Content.bytes(next == null ? content.channel() : next, at, length);
    }

    /** What all of a plain file is like that is gone, open and not cut; null if it is not like that, or empty. */
    ContentMark whole() throws IOException {
        if (!gone || content == null || cut || compressed) {
            return null;
        }
        FileChannel channel = content.channel();
        return channel.size() > 0 && channel.size() >= position()
                ? ContentMark.of(FileIdentity.of(identity.key(), channel), channel, channel.size())
                : null;
    }

    /** It goes on in another file, once it was read to its end: what it was packed or copied into, positions included. */
    void continuesIn(Path other, FileIdentity otherIdentity) throws IOException {
        FileChannel opened = FileChannel.open(other, StandardOpenOption.READ);
        if (!otherIdentity.isOf(other, opened)) {
            opened.close();
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
            compressed = Compression.of(opened) != Compression.NONE;
            closeNext();
        }
    }

    /** Goes on in the file that it continues in; false if there is none, or if that was cut meanwhile: it is gone then. */
    boolean goOn() throws IOException {
        if (next == null) {
            return false;
        }
        if (!identity.isStillOf(next)) {
            markGone();
            return false;
        }
        from = content.resumeAt();
        content.close();
        content = new OpenFile(unit(), next, format, from);
        size = next.size();
        next = null;
        cut = false;
        compressed = false;
        shorter = size < from;
        return true;
    }

    /** Whether it has come to an end though it is there: it is packed and whole, or a copy that was made before the last was read. */
    boolean hasNoMore() {
        return isCompressed() ? brokenOff() == null : shorter && content.isBegun();
    }

    /** Whether nothing of it is under its name any more. */
    boolean isLeft() {
        return next == null && (gone || cut);
    }

    /** What was made of it was looked for, and not found. */
    void markMissed() {
        missed = true;
    }

    boolean isMissed() {
        return missed;
    }

    /** Whether it has a name, and is plain: what is like it may be a copy in the making. */
    boolean isWhole() {
        return !gone && !compressed;
    }

    long position() {
        if (end >= 0) {
            return end;
        }
        return content == null ? from : content.position();
    }

    void markEnd() throws IOException {
        if (isOpen()) {
            size = content.channel().size();
        }
        end = position();
    }

    /** Where it ended; -1 before. */
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

    /** All of it is committed. */
    void markForgotten() {
        forgotten = true;
    }

    /** Whether nothing need be kept of it: it is not there any more, and all of it is committed. */
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
        FileChannel closed = next;
        next = null;
        close(closed);
    }

    private static void close(Closeable closed) {
        try {
            if (closed != null) {
                closed.close();
            }
        } catch (IOException e) {
            // Nothing was written to it, so nothing is lost.
        }
    }

    @Override
    public void close() {
        closeNext();
        from = position();
        OpenFile closed = content;
        content = null;
        close(closed);
    }
}
