package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out of a file that appears whether it is one that was read: what rotation has packed or copied it into. That takes proof, as records
 * that are taken for read are lost if they were not: the first bytes, and those before the position that was read up to. One thread.
 */
final class Copies {

    private static final Logger LOG = LoggerFactory.getLogger(Copies.class);
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long AGAIN_NANOS = 5_000_000_000L;
    /** As long as it took to compare, so many times that it is not done again. */
    private static final long PAUSES = 10;

    /** What a file is: one that is being read, one that was read earlier, or one of its own. */
    record Verdict(TrackedFile file, ContentMark mark, Positions.Entry entry, boolean waits) {
        private static final Verdict WAITS = new Verdict(null, null, null, true);
        private static final Verdict ANOTHER = new Verdict(null, null, null, false);
    }

    private record Waiting(long size, FileTime time, long since, long notBefore) {}

    private final LongSupplier clock;
    private final Map<String, Waiting> waiting = new HashMap<>();

    /** Compares by a clock of nanoseconds. */
    Copies(LongSupplier clock) {
        this.clock = clock;
    }

    /** Those that are not there any more need not be waited for. */
    void keep(Set<String> keys) {
        waiting.keySet().retainAll(keys);
    }

    /**
     * Compares a file.
     *
     * @param files that are read by this run
     * @param earlier what was read of others
     * @param changed whether one of the files was cut, removed or done with since the last call
     */
    Verdict of(Path path, String key, Collection<TrackedFile> files, List<Positions.Entry> earlier, boolean changed)
            throws IOException {
        long now = clock.getAsLong();
        Waiting before = waiting.get(key);
        long size = Files.size(path);
        FileTime time = Files.getLastModifiedTime(path);
        boolean same = before != null && before.size == size && before.time.equals(time);
        long notBefore = before == null ? now : before.notBefore + (same ? AGAIN_NANOS : 0);
        if (now < notBefore && !changed) {
            return Verdict.WAITS;
        }
        long since = same ? before.since : now;
        Verdict verdict = compare(path, files, earlier, now - since > PATIENCE_NANOS);

        if (verdict.waits) {
            long then = clock.getAsLong();
            waiting.put(key, new Waiting(size, time, since, then + PAUSES * (then - now)));
        } else {
            waiting.remove(key);
        }
        return verdict;
    }

    /** Whether one of these files is being packed into another, which is not whole yet. */
    boolean isInTheMaking(Path path, Collection<TrackedFile> files) throws IOException {
        try (Content content = new Content(path)) {
            boolean empty = isEmpty(path, content);
            for (TrackedFile file : files) {
                if (file.isWhole() && file.size() > 0 && (empty || content.isPacked() && beginsAs(content, file))) {
                    return empty || content.isBrokenOff();
                }
            }
            return false;
        }
    }

    private static boolean beginsAs(Content content, TrackedFile file) throws IOException {
        byte[] head = content.bytes(0, ContentMark.MOST);
        return Arrays.equals(head, file.bytes(0, head.length));
    }

    private static Verdict compare(
            Path path, Collection<TrackedFile> files, List<Positions.Entry> earlier, boolean late) throws IOException {
        try (Content content = new Content(path)) {
            Verdict left = ofWhatIsLeft(content, files, earlier);
            if (left != Verdict.ANOTHER) {
                return left;
            }
            TrackedFile whole = whole(content, files, isEmpty(path, content));
            if (whole != null && !(late && content.length() > 0 && content.length() < ContentMark.MOST)) {
                return Verdict.WAITS;
            }
            tell(path, content, whole, files, earlier);
            return Verdict.ANOTHER;
        }
    }

    /** Of files that are gone or cut, the one that was read the furthest of those that it holds. */
    private static Verdict ofWhatIsLeft(Content content, Collection<TrackedFile> files, List<Positions.Entry> earlier)
            throws IOException {
        Verdict best = Verdict.ANOTHER;
        long at = -1;
        for (TrackedFile file : files) {
            ContentMark mark = file.isLeft() ? held(content, file) : null;
            if (mark != null && mark.at() > at && (file.waitsForCopy() || isProof(content, mark))) {
                at = mark.at();
                boolean waits =
                        file.end() >= 0 && content.length() > file.end() || !file.isMissed() && isLess(content, file);
                best = waits ? Verdict.WAITS : new Verdict(file, mark, null, false);
            }
        }
        for (Positions.Entry entry : earlier) {
            ContentMark mark = entry.mark();
            boolean proves = mark != null && mark.at() >= entry.commit().position() && mark.at() > at;
            if (proves && content.holds(mark)) {
                at = mark.at();
                best = new Verdict(null, null, entry, false);
            }
        }
        return best;
    }

    private static ContentMark held(Content content, TrackedFile file) throws IOException {
        ContentMark last = file.marks().last();
        ContentMark whole = file.whole();
        if (whole != null && content.length() >= whole.at()) {
            return content.holds(whole) ? whole : null;
        }
        if (last == null || content.holds(last) && (whole == null || isBeginning(content, file))) {
            return last;
        }
        return file.waitsForCopy() ? heldAtEnd(content, file.marks(), last) : null;
    }

    // What has less of a file than another is not taken for it, if the other appears with it.
    private static boolean isLess(Content content, TrackedFile file) throws IOException {
        ContentMark whole = file.whole();
        return content.length() < (whole == null ? file.marks().last() : whole).at();
    }

    // A new log may begin as one that is gone: what proves little proves enough only of a file that is packed, or has
    // no more.
    private static boolean isProof(Content content, ContentMark mark) throws IOException {
        return mark.isFull() || content.isPacked() || content.length() == mark.at();
    }

    /** What a copy ends with that was made before the file was cut, and lacks the last that was read. */
    private static ContentMark heldAtEnd(Content content, Marks marks, ContentMark last) throws IOException {
        long end = content.length();
        byte[] tail = content.bytes(Math.max(0, end - ContentMark.MOST), ContentMark.MOST);
        boolean strong = tail.length == ContentMark.MOST && end < last.at();
        return strong && marks.wereRead(tail, end) && content.beginsAs(last)
                ? new ContentMark(
                        last.head(), last.headHash(), end, tail.length, ContentMark.hash(tail, 0, tail.length))
                : null;
    }

    /** A file that is there, and has all that the content has so far: the copy may be in the making. */
    private static TrackedFile whole(Content content, Collection<TrackedFile> files, boolean empty) throws IOException {
        long length = 0;
        for (TrackedFile file : files) {
            if (!file.isWhole() || file.size() == 0) {
                continue;
            }
            length = length == 0 && !empty ? content.length() : length;
            if (length == 0 || isBeginning(content, file)) {
                return file;
            }
        }
        return null;
    }

    private static boolean isBeginning(Content content, TrackedFile file) throws IOException {
        return isSame(content, file, 0, content.length()) && isSame(content, file, content.length(), content.length());
    }

    /** Whether the bytes at the start, or those before the end, are the same. */
    private static boolean isSame(Content content, TrackedFile file, long at, long length) throws IOException {
        int count = (int) Math.min(ContentMark.MOST, length);
        long from = Math.max(0, at - count);
        return Arrays.equals(content.bytes(from, count), file.bytes(from, count));
    }

    /** Whether too little has come to tell how it is packed. */
    private static boolean isEmpty(Path path, Content content) throws IOException {
        if (content.isPacked()) {
            return false;
        }
        byte[] magic = new byte[Compression.MAGIC];
        try (FileChannel channel = FileChannel.open(path)) {
            return Compression.isOpen(magic, Math.max(0, channel.read(ByteBuffer.wrap(magic), 0)));
        }
    }

    private static void tell(
            Path path, Content content, TrackedFile whole, Collection<TrackedFile> files, List<Positions.Entry> earlier)
            throws IOException {
        String like = whole == null ? null : whole.path().toString();
        for (TrackedFile file : files) {
            ContentMark mark = file.marks().last();
            if (like == null && mark != null && file.isLeft() && isOpen(content, mark)) {
                like = file.path().toString();
            }
        }
        for (Positions.Entry entry : earlier) {
            like = like == null && isLike(content, entry) ? entry.unit() : like;
        }
        if (like != null) {
            LOG.warn(
                    "{} begins as {}, which was read, but nothing proves that it is the same file:"
                            + " it is read from its start, and what is in both is counted twice",
                    path,
                    like);
        }
    }

    private static boolean isLike(Content content, Positions.Entry entry) throws IOException {
        FileIdentity identity = entry.identity();
        if (entry.mark() != null) {
            return isOpen(content, entry.mark());
        }
        return entry.commit().position() > 0
                && identity.length() > 0
                && content.beginsAs(new ContentMark(identity.length(), identity.hash(), 0, 0, 0));
    }

    /** Whether a packed file begins as it should, and has too little to tell more. */
    private static boolean isOpen(Content content, ContentMark mark) throws IOException {
        return content.isPacked() && mark.head() > 0 && content.beginsAs(mark) && content.length() < mark.at();
    }
}
