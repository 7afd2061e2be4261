package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how to read a file that appears: an earlier run may have read part of it, rotation may have made it from another
 * file, or it is new and is read from its start. Not thread-safe.
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
        copies = new CopyDetector(clock, files.partitions);
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
        return added(files.reopen(end, path));
    }

    private PositionFile.Entry end(Path path) throws IOException {
        PositionFile.Entry end = files.endOf(FileIdentity.key(path));
        return end != null && end.identity().isStillOf(path) ? end : null;
    }

    // A copy may have the number of a removed file with the same header.
    private boolean isSame(Path path, ContentFingerprint mark) throws IOException {
        return UnpackedContent.isAt(path, false, false, mark) && !copies.provesMore(path, mark);
    }

    /** Tracks a file that an earlier run has read in part; returns null if none has. */
    TrackedFile trackKnown(Path path) throws IOException {
        PositionFile.Entry entry = beginnings.known(path);
        if (entry == null
                || files.partitions.keySet().contains(entry.partition())
                || copies.provesMore(path, entry.mark())) {
            return null;
        }
        return added(files.track(path, beginnings.after(entry, path)));
    }

    /**
     * Tracks an unknown file, or continues the file that it was made from.
     *
     * @param isOrigin whether it may have been made from a file
     * @param changed whether a file was cut, removed or finished since the last call
     * @return the file to open; null if the file continues another one, or its origin is not known yet
     */
    TrackedFile trackUnknown(Path path, Predicate<TrackedFile> isOrigin, boolean changed) throws IOException {
        CopyDetector.Verdict verdict = copies.of(
                path, FileIdentity.key(path), file -> followed && isOrigin.test(file), this::earlier, changed);
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
                "{} was made from {}: resuming after byte {}",
                path,
                entry.partition(),
                entry.commit().position());
        return added(files.track(path, beginnings.after(entry, path)));
    }

    // A file that has ended continues where its copy has more.
    private TrackedFile resume(TrackedFile file, ContentFingerprint mark, Path path) throws IOException {
        if (file.end() >= 0 && UnpackedContent.length(path) > file.end()) {
            return added(files.reopen(file.endingAt(mark), path));
        }
        files.resume(file, mark, path);
        added(file);
        return null;
    }

    TrackedFile begin(Path path) throws IOException {
        return added(files.track(path, beginnings.fresh(path, files.partitions.keySet())));
    }

    /** Returns whether a file is the incomplete packed version of a file that is read. */
    boolean isInTheMaking(Path path) throws IOException {
        return followed && copies.isInTheMaking(path);
    }

    void beginScan() {
        beginnings.beginScan();
        copies.candidates.beginScan();
    }

    private TrackedFile added(TrackedFile file) {
        if (followed) {
            copies.candidates.add(file);
        }
        return file;
    }

    void keep(Set<String> keys) {
        copies.keep(keys);
    }

    private List<PositionFile.Entry> earlier(byte[] head) {
        return beginnings.others(head).stream()
                .filter(entry -> !files.partitions.containsKey(entry.partition()) && !isThere(entry))
                .toList();
    }

    private boolean isThere(PositionFile.Entry entry) {
        TrackedFile file = files.withKey(entry.identity().key());
        return file != null && file.partition().equals(entry.partition());
    }

    /**
     * Decides whether a file that appears is a packed version or a copy of a file that was read, as rotation makes them. A wrong
     * match would lose records, so the proof is strict: the first bytes must match, and so must the bytes before the position up to
     * which the file was read. Not thread-safe.
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
        final CopyCandidates candidates;
        private final Map<String, Waiting> waiting = new HashMap<>();

        CopyDetector(LongSupplier clock, Map<String, TrackedFile> partitions) {
            this.clock = clock;
            candidates = new CopyCandidates(partitions);
        }

        /** Forgets the files whose keys are not in this set: they are gone. */
        void keep(Set<String> keys) {
            waiting.keySet().retainAll(keys);
        }

        /**
         * Compares a file.
         *
         * @param isOrigin whether it may have been made from a file
         * @param earlier returns the entries of files that were read and begin as a content
         * @param changed whether a file was cut, removed or finished since the last call
         */
        Verdict of(
                Path path,
                String key,
                Predicate<TrackedFile> isOrigin,
                Function<byte[], List<PositionFile.Entry>> earlier,
                boolean changed)
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
            Verdict verdict = compare(path, isOrigin, earlier, before == null, now - since > WAIT_NANOS);

            if (verdict.waits) {
                long then = clock.getAsLong();
                waiting.put(key, new Waiting(size, time, since, then + PAUSES * (then - now)));
            } else {
                waiting.remove(key);
            }
            return verdict;
        }

        /** Returns whether a file continues a removed or cut one that was read beyond a mark, which may be null. */
        boolean provesMore(Path path, ContentFingerprint mark) throws IOException {
            if (mark == null || !candidates.hasLeft()) {
                return false;
            }
            try (UnpackedContent content = new UnpackedContent(path)) {
                List<TrackedFile> files = candidates.left(content.bytes(0, ContentFingerprint.MAX_BYTES));
                ContentFingerprint left = ofLeftFiles(content, files, List.of(), false).mark;
                return left != null && left.at() > mark.at();
            }
        }

        /** Returns whether the file is an incomplete packed version of a file that is read. */
        boolean isInTheMaking(Path path) throws IOException {
            try (UnpackedContent content = new UnpackedContent(path)) {
                if (content.isTooShort()) {
                    return candidates.any(file -> true) != null;
                }
                byte[] head = content.isPacked() ? content.bytes(0, ContentFingerprint.MAX_BYTES) : null;
                return head != null
                        && candidates.beginning(head, file -> true, file -> beginsAs(head, file)) != null
                        && content.isBrokenOff();
            }
        }

        private static boolean beginsAs(byte[] head, TrackedFile file) throws IOException {
            return Arrays.equals(head, file.bytes(0, head.length));
        }

        private Verdict compare(
                Path path,
                Predicate<TrackedFile> isOrigin,
                Function<byte[], List<PositionFile.Entry>> earlier,
                boolean first,
                boolean late)
                throws IOException {
            try (UnpackedContent content = new UnpackedContent(path)) {
                byte[] head = content.bytes(0, ContentFingerprint.MAX_BYTES);
                // A packed file that is still written begins like its original, and perhaps like a removed file.
                TrackedFile whole = whole(content, head, isOrigin, content.isTooShort());
                if (whole != null
                        && !(late && content.length() > 0 && content.length() < ContentFingerprint.MAX_BYTES)) {
                    return Verdict.WAITS;
                }
                List<TrackedFile> files =
                        candidates.left(head).stream().filter(isOrigin).toList();
                List<PositionFile.Entry> entries = earlier.apply(head);
                Verdict left = ofLeftFiles(content, files, entries, first);
                if (left != Verdict.ANOTHER) {
                    return left;
                }
                warnIfSimilar(path, content, whole, files, entries);
                return Verdict.ANOTHER;
            }
        }

        /** Returns, of the removed or cut files that match the content, the one that was read furthest. */
        private static Verdict ofLeftFiles(
                UnpackedContent content, List<TrackedFile> files, List<PositionFile.Entry> earlier, boolean first)
                throws IOException {
            Verdict best = Verdict.ANOTHER;
            long at = -1;
            for (TrackedFile file : files) {
                ContentFingerprint mark = held(content, file);
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
            return file.waitsForCopy() ? file.marks.plain.atEndOf(content, last) : null;
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

        /** Returns a file that is in place and begins with the content so far: the copy may be incomplete. */
        private TrackedFile whole(UnpackedContent content, byte[] head, Predicate<TrackedFile> isOrigin, boolean empty)
                throws IOException {
            return empty || head.length == 0
                    ? candidates.any(isOrigin)
                    : candidates.beginning(head, isOrigin, file -> isBeginning(content, file));
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

        private static void warnIfSimilar(
                Path path,
                UnpackedContent content,
                TrackedFile whole,
                List<TrackedFile> files,
                List<PositionFile.Entry> earlier)
                throws IOException {
            String like = whole == null ? null : whole.path().toString();
            for (TrackedFile file : files) {
                ContentFingerprint mark = file.marks.plain.last();
                if (like == null && mark != null && isOpen(content, mark)) {
                    like = file.path().toString();
                }
            }
            for (PositionFile.Entry entry : earlier) {
                like = like == null && isLike(content, entry) ? entry.partition() : like;
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
