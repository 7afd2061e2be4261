package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Marks of one file at the ends of chunks that were handed over: all of the last ones, fewer of those before, none before what is committed.
 * Safe to use from any thread.
 */
final class Marks {

    private static final int MOST = 64;

    /** Bytes that are kept, to know a copy that lacks the last that was read. */
    private static final int LAST = 16 * 1024;

    private final List<ContentMark> marks = new ArrayList<>();
    private byte[] last = new byte[0];
    private long lastEnd = -1;

    /** Begins with what an earlier run has left; it may be null. */
    Marks(ContentMark mark) {
        if (mark != null) {
            marks.add(mark);
        }
    }

    /** All bytes up to the mark have been handed over, or passed over. */
    synchronized void add(ContentMark mark) {
        marks.add(mark);
        if (marks.size() > MOST) {
            thin();
        }
    }

    /** Keeps the last bytes that were read. */
    synchronized void keep(long from, long to, FileChannel channel) throws IOException {
        byte[] read = Content.bytes(channel, Math.max(from, to - LAST), (int) Math.min(LAST, to - from));
        int before = lastEnd == from ? Math.min(last.length, LAST - read.length) : 0;
        byte[] kept = Arrays.copyOfRange(last, last.length - before, last.length + read.length);
        System.arraycopy(read, 0, kept, before, read.length);
        last = kept;
        lastEnd = to;
    }

    /** Whether bytes of another file, up to a position, are those that were read there, and are as many as tell one file from another. */
    synchronized boolean wereRead(byte[] bytes, long to) {
        int end = (int) Math.max(-1, last.length - (lastEnd - to));
        return end >= bytes.length
                && to <= lastEnd
                && Arrays.equals(last, end - bytes.length, end, bytes, 0, bytes.length);
    }

    // Every second one of the older half.
    private void thin() {
        for (int i = marks.size() / 2; i > 0; i -= 2) {
            marks.remove(i);
        }
    }

    /** The last one; null if nothing was handed over. */
    synchronized ContentMark last() {
        return marks.isEmpty() ? null : marks.get(marks.size() - 1);
    }

    /** The one to keep with a committed position: the first that is not before it, else the last. Those before it are forgotten. */
    synchronized ContentMark committed(long position) {
        ContentMark last = last();
        marks.removeIf(mark -> mark.at() < position && mark != last);
        return marks.isEmpty() ? null : marks.get(0);
    }

    /** What is there now of the file ends before what was read of it. */
    synchronized void cutAt(long position) {
        marks.removeIf(mark -> mark.at() > position);
    }
}
