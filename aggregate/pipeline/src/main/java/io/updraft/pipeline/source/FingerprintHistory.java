package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Marks of one file at the ends of the chunks that were handed over. Keeps recent marks, fewer older ones, and none before the
 * committed position. Safe to use from any thread.
 */
final class FingerprintHistory {

    private static final int MAX_MARKS = 64;

    /** How many of the last bytes are kept, to recognise a copy that lacks the bytes that were read last. */
    private static final int MAX_TAIL = 16 * 1024;

    private final List<ContentFingerprint> marks = new ArrayList<>();
    private byte[] last = new byte[0];
    private long lastEnd = -1;

    /** Creates the marks of a file. The mark of an earlier run may be null. */
    FingerprintHistory(ContentFingerprint mark) {
        if (mark != null) {
            marks.add(mark);
        }
    }

    synchronized void add(ContentFingerprint mark) {
        marks.add(mark);
        if (marks.size() > MAX_MARKS) {
            thin();
        }
    }

    synchronized void keep(long from, long to, FileChannel channel) throws IOException {
        byte[] read =
                UnpackedContent.bytes(channel, Math.max(from, to - MAX_TAIL), (int) Math.min(MAX_TAIL, to - from));
        int before = lastEnd == from ? Math.min(last.length, MAX_TAIL - read.length) : 0;
        byte[] kept = Arrays.copyOfRange(last, last.length - before, last.length + read.length);
        System.arraycopy(read, 0, kept, before, read.length);
        last = kept;
        lastEnd = to;
    }

    /** Returns the mark at the end of a copy that was made before the file was cut and lacks the bytes that were read last. */
    ContentFingerprint atEndOf(UnpackedContent copy, ContentFingerprint last) throws IOException {
        long end = copy.length();
        byte[] tail = copy.bytes(Math.max(0, end - ContentFingerprint.MAX_BYTES), ContentFingerprint.MAX_BYTES);
        boolean strong = tail.length == ContentFingerprint.MAX_BYTES && end < last.at();
        return strong && wereRead(tail, end) && copy.beginsAs(last)
                ? new ContentFingerprint(
                        last.head(), last.headHash(), end, tail.length, ContentFingerprint.hash(tail, 0, tail.length))
                : null;
    }

    /** Returns whether bytes of another file, up to a position, equal the bytes that were read there. */
    private synchronized boolean wereRead(byte[] bytes, long to) {
        int end = (int) Math.max(-1, last.length - (lastEnd - to));
        return end >= bytes.length
                && to <= lastEnd
                && Arrays.equals(last, end - bytes.length, end, bytes, 0, bytes.length);
    }

    // Removes every second mark of the older half.
    private void thin() {
        for (int i = marks.size() / 2; i > 0; i -= 2) {
            marks.remove(i);
        }
    }

    /** Returns whether an open file still has its first bytes and the bytes before its last mark. */
    boolean areIn(FileChannel channel, FileIdentity identity) throws IOException {
        ContentFingerprint last = last();
        return identity.isStillOf(channel)
                && (last == null
                        || last.hash()
                                == ContentFingerprint.of(identity, channel, last.at())
                                        .hash());
    }

    /** Returns the last mark; null if nothing was handed over. */
    synchronized ContentFingerprint last() {
        return marks.isEmpty() ? null : marks.get(marks.size() - 1);
    }

    /** Returns the mark that proves a position best: the first one at or after it, else the last one; null if there is none. */
    synchronized ContentFingerprint at(long position) {
        for (ContentFingerprint mark : marks) {
            if (mark.at() >= position) {
                return mark;
            }
        }
        return last();
    }

    /**
     * Returns the mark for a committed position: the first one at or after it, else the last one. Removes the marks before it.
     */
    synchronized ContentFingerprint committed(long position) {
        ContentFingerprint last = last();
        marks.removeIf(mark -> mark.at() < position && mark != last);
        return marks.isEmpty() ? null : marks.get(0);
    }

    /** Removes the marks after a position: the file now ends there. */
    synchronized void cutAt(long position) {
        marks.removeIf(mark -> mark.at() > position);
    }
}
