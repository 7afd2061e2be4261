package io.updraft.pipeline.source.file;

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
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how to read a file that appears: an earlier run may have read part of it, rotation may have made it from another
 * file, or it is new and is read from its start. One thread.
 */
final class NewFileClassifier {

    private static final Logger LOG = LoggerFactory.getLogger(NewFileClassifier.class);

    private final TrackedFiles files;
    private final StartPositions beginnings;
    private final boolean followed;
    private final CopyDetector copies;

    NewFileClassifier(TrackedFiles files, StartPositions beginnings, boolean followed, LongSupplier clock) {
        this.files = files;
        this.beginnings = beginnings;
        this.followed = followed;
        copies = new CopyDetector(clock);
    }

    /** Returns whether a packed file is back that this run had read to its end, and has no more. */
    boolean finishesAgain(Path path) throws IOException {
        PositionFile.Entry end = end(path);
        if (end == null
                || end.mark() != null
                || UnpackedContent.length(path) != end.commit().position()) {
            return false;
        }
        files.finishAgain(end, path);
        return true;
    }

    /** Tracks a file that this run had read to its end, and that is back; returns null if there is none. */
    TrackedFile trackReturned(Path path) throws IOException {
        PositionFile.Entry end = end(path);
        if (end == null || end.mark() != null && !isSame(path, end.mark())) {
            return null;
        }
        return files.reopen(end, path);
    }

    private PositionFile.Entry end(Path path) throws IOException {
        PositionFile.Entry end = files.endOf(FileIdentity.key(path));
        return end != null && end.identity().isStillOf(path) ? end : null;
    }

    // A copy may have the number of a removed file with the same header.
    private boolean isSame(Path path, ContentFingerprint mark) throws IOException {
        return UnpackedContent.isAt(path, false, false, mark) && !copies.provesMore(path, files.units.values(), mark);
    }

    /** Tracks a file that an earlier run has read in part; returns null if none has. */
    TrackedFile trackKnown(Path path) throws IOException {
        PositionFile.Entry entry = beginnings.known(path);
        if (entry == null
                || files.units.keySet().contains(entry.unit())
                || copies.provesMore(path, files.units.values(), entry.mark())) {
            return null;
        }
        return files.track(path, beginnings.after(entry, path));
    }

    /**
     * Tracks an unknown file, or continues the file that it was made from.
     *
     * @param known the files from which it may have been made
     * @param changed whether one of these files was cut, removed or finished since the last call
     * @return the file to open; null if the file continues another one, or its origin is not known yet
     */
    TrackedFile trackUnknown(Path path, Collection<TrackedFile> known, boolean changed) throws IOException {
        CopyDetector.Verdict verdict =
                copies.of(path, FileIdentity.key(path), followed ? known : List.of(), earlier(), changed);
        if (verdict.waits()) {
            return null;
        }
        if (verdict.file() != null) {
            return resume(verdict.file(), verdict.mark(), path);
        }
        PositionFile.Entry entry = verdict.entry();
        if (entry == null) {
            return begin(path);
        }
        LOG.info(
                "{} was made from {}: reading goes on after byte {}",
                path,
                entry.unit(),
                entry.commit().position());
        return files.track(path, beginnings.after(entry, path));
    }

    // A file that has ended goes on where its copy has more.
    private TrackedFile resume(TrackedFile file, ContentFingerprint mark, Path path) throws IOException {
        if (file.end() >= 0 && UnpackedContent.length(path) > file.end()) {
            return files.reopen(file.endingAt(mark), path);
        }
        files.resume(file, mark, path);
        return null;
    }

    TrackedFile begin(Path path) throws IOException {
        return files.track(path, beginnings.fresh(path, files.units.keySet()));
    }

    /** Returns whether a file is the incomplete packed version of a file that is read. */
    boolean isInTheMaking(Path path) throws IOException {
        return followed && copies.isInTheMaking(path, files.active);
    }

    void keep(Set<String> keys) {
        copies.keep(keys);
    }

    private List<PositionFile.Entry> earlier() {
        Predicate<PositionFile.Entry> there = entry -> {
            TrackedFile file = files.withKey(entry.identity().key());
            return file != null && file.unit().equals(entry.unit());
        };
        return beginnings.others(files.units.keySet()).stream()
                .filter(there.negate())
                .toList();
    }

    /**
     * Decides whether a file that appears is a packed version or a copy of a file that was read, as rotation makes them. A wrong
     * match would lose records, so the proof is strict: the first bytes must match, and so must the bytes before the position up to
     * which the file was read. One thread.
     */
    private static final class CopyDetector {

        private static final long WAIT_NANOS = 10_000_000_000L;
        private static final long AGAIN_NANOS = 5_000_000_000L;
        /** After a comparison, the pause lasts this many times as long as the comparison took. */
        private static final long PAUSES = 10;

        /** The result: a file that this run reads, one that an earlier run read, an unknown one, or none yet. */
        record Verdict(TrackedFile file, ContentFingerprint mark, PositionFile.Entry entry, boolean waits) {
            private static final Verdict WAITS = new Verdict(null, null, null, true);
            private static final Verdict ANOTHER = new Verdict(null, null, null, false);
        }

        private record Waiting(long size, FileTime time, long since, long notBefore) {}

        private final LongSupplier clock;
        private final Map<String, Waiting> waiting = new HashMap<>();

        CopyDetector(LongSupplier clock) {
            this.clock = clock;
        }

        /** Forgets the files whose keys are not in this set: they are gone. */
        void keep(Set<String> keys) {
            waiting.keySet().retainAll(keys);
        }

        /**
         * Compares a file.
         *
         * @param earlier the entries of files that earlier runs read
         * @param changed whether one of the files was cut, removed or finished since the last call
         */
        Verdict of(
                Path path, String key, Collection<TrackedFile> files, List<PositionFile.Entry> earlier, boolean changed)
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
            Verdict verdict = compare(path, files, earlier, before == null, now - since > WAIT_NANOS);

            if (verdict.waits) {
                long then = clock.getAsLong();
                waiting.put(key, new Waiting(size, time, since, then + PAUSES * (then - now)));
            } else {
                waiting.remove(key);
            }
            return verdict;
        }

        /** Returns whether a file continues one of these files that was read beyond a mark, which may be null. */
        boolean provesMore(Path path, Collection<TrackedFile> files, ContentFingerprint mark) throws IOException {
            try (UnpackedContent content = new UnpackedContent(path)) {
                ContentFingerprint left = ofLeftFiles(content, files, List.of(), false).mark;
                return mark != null && left != null && left.at() > mark.at();
            }
        }

        /** Returns whether the file is an incomplete packed version of one of these files. */
        boolean isInTheMaking(Path path, Collection<TrackedFile> files) throws IOException {
            try (UnpackedContent content = new UnpackedContent(path)) {
                boolean empty = isEmpty(path, content);
                for (TrackedFile file : files) {
                    if (file.isWhole() && file.size() > 0 && (empty || content.isPacked() && beginsAs(content, file))) {
                        return empty || content.isBrokenOff();
                    }
                }
                return false;
            }
        }

        private static boolean beginsAs(UnpackedContent content, TrackedFile file) throws IOException {
            byte[] head = content.bytes(0, ContentFingerprint.MAX_BYTES);
            return Arrays.equals(head, file.bytes(0, head.length));
        }

        private static Verdict compare(
                Path path, Collection<TrackedFile> files, List<PositionFile.Entry> earlier, boolean first, boolean late)
                throws IOException {
            try (UnpackedContent content = new UnpackedContent(path)) {
                // A packed file that is still written begins like its original, and perhaps like a file that was
                // removed.
                TrackedFile whole = whole(content, files, isEmpty(path, content));
                if (whole != null
                        && !(late && content.length() > 0 && content.length() < ContentFingerprint.MAX_BYTES)) {
                    return Verdict.WAITS;
                }
                Verdict left = ofLeftFiles(content, files, earlier, first);
                if (left != Verdict.ANOTHER) {
                    return left;
                }
                warnIfSimilar(path, content, whole, files, earlier);
                return Verdict.ANOTHER;
            }
        }

        /** Returns, of the removed or cut files that match the content, the one that was read furthest. */
        private static Verdict ofLeftFiles(
                UnpackedContent content, Collection<TrackedFile> files, List<PositionFile.Entry> earlier, boolean first)
                throws IOException {
            Verdict best = Verdict.ANOTHER;
            long at = -1;
            for (TrackedFile file : files) {
                ContentFingerprint mark = file.isLeft() ? held(content, file) : null;
                if (mark != null && mark.at() > at && isProof(content, file, mark)) {
                    at = mark.at();
                    // Files that are missing come back together: a scan that missed them says nothing.
                    boolean waits = (!file.isMissed() || first && file.isGone()) && isLess(content, file);
                    best = waits ? Verdict.WAITS : new Verdict(file, mark, null, false);
                }
            }
            for (PositionFile.Entry entry : earlier) {
                ContentFingerprint mark = entry.mark();
                boolean proves = mark != null && mark.at() >= entry.commit().position() && mark.at() > at;
                if (proves && content.holds(mark)) {
                    at = mark.at();
                    best = new Verdict(null, null, entry, false);
                }
            }
            return best;
        }

        private static ContentFingerprint held(UnpackedContent content, TrackedFile file) throws IOException {
            ContentFingerprint last = file.marks.last();
            ContentFingerprint whole = file.whole();
            if (whole != null && content.length() >= whole.at()) {
                return content.holds(whole) ? whole : null;
            }
            if (last == null || content.holds(last) && (whole == null || isBeginning(content, file))) {
                return last;
            }
            return file.waitsForCopy() ? heldAtEnd(content, file.marks.plain, last) : null;
        }

        // A file with less content than another one is not matched if the other appears at the same time.
        private static boolean isLess(UnpackedContent content, TrackedFile file) throws IOException {
            ContentFingerprint whole = file.whole();
            return content.length() < (whole == null ? file.marks.last() : whole).at();
        }

        // A new log may begin like an old one. Few bytes prove only a packed file, or a file that ends there.
        private static boolean isProof(UnpackedContent content, TrackedFile file, ContentFingerprint mark)
                throws IOException {
            // Nothing proves the bytes between the mark and the position.
            return file.waitsForCopy()
                    || content.length() == mark.at()
                    || mark.at() >= file.position() && (mark.isFull() || content.isPacked());
        }

        /** Returns the mark at the end of a copy that was made before the file was cut and lacks the bytes that were read last. */
        private static ContentFingerprint heldAtEnd(
                UnpackedContent content, FingerprintHistory marks, ContentFingerprint last) throws IOException {
            long end = content.length();
            byte[] tail = content.bytes(Math.max(0, end - ContentFingerprint.MAX_BYTES), ContentFingerprint.MAX_BYTES);
            boolean strong = tail.length == ContentFingerprint.MAX_BYTES && end < last.at();
            return strong && marks.wereRead(tail, end) && content.beginsAs(last)
                    ? new ContentFingerprint(
                            last.head(),
                            last.headHash(),
                            end,
                            tail.length,
                            ContentFingerprint.hash(tail, 0, tail.length))
                    : null;
        }

        /** Returns a file that is in place and begins with the content so far: the copy may be incomplete. */
        private static TrackedFile whole(UnpackedContent content, Collection<TrackedFile> files, boolean empty)
                throws IOException {
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

        private static boolean isBeginning(UnpackedContent content, TrackedFile file) throws IOException {
            return isSame(content, file, 0, content.length())
                    && isSame(content, file, content.length(), content.length());
        }

        /** Returns whether the bytes before a position are the same. */
        private static boolean isSame(UnpackedContent content, TrackedFile file, long at, long length)
                throws IOException {
            int count = (int) Math.min(ContentFingerprint.MAX_BYTES, length);
            long from = Math.max(0, at - count);
            return Arrays.equals(content.bytes(from, count), file.bytes(from, count));
        }

        /** Returns whether the file is too short to determine its compression. */
        private static boolean isEmpty(Path path, UnpackedContent content) throws IOException {
            if (content.isPacked()) {
                return false;
            }
            byte[] magic = new byte[StreamCompression.MAGIC];
            try (FileChannel channel = FileChannel.open(path)) {
                return StreamCompression.isOpen(magic, Math.max(0, channel.read(ByteBuffer.wrap(magic), 0)));
            }
        }

        private static void warnIfSimilar(
                Path path,
                UnpackedContent content,
                TrackedFile whole,
                Collection<TrackedFile> files,
                List<PositionFile.Entry> earlier)
                throws IOException {
            String like = whole == null ? null : whole.path().toString();
            for (TrackedFile file : files) {
                ContentFingerprint mark = file.marks.plain.last();
                if (like == null && mark != null && file.isLeft() && isOpen(content, mark)) {
                    like = file.path().toString();
                }
            }
            for (PositionFile.Entry entry : earlier) {
                like = like == null && isLike(content, entry) ? entry.unit() : like;
            }
            if (like != null) {
                LOG.warn(
                        "{} begins like {}, which was read, but nothing proves that it is the same file:"
                                + " reading it from its start, so records in both files count twice",
                        path,
                        like);
            }
        }

        private static boolean isLike(UnpackedContent content, PositionFile.Entry entry) throws IOException {
            FileIdentity identity = entry.identity();
            if (entry.mark() != null) {
                return isOpen(content, entry.mark());
            }
            return entry.commit().position() > 0
                    && identity.length() > 0
                    && content.beginsAs(new ContentFingerprint(identity.length(), identity.hash(), 0, 0, 0));
        }

        /** Returns whether a packed file has the first bytes of a mark, but ends before the position of the mark. */
        private static boolean isOpen(UnpackedContent content, ContentFingerprint mark) throws IOException {
            return content.isPacked() && mark.head() > 0 && content.beginsAs(mark) && content.length() < mark.at();
        }
    }
}
