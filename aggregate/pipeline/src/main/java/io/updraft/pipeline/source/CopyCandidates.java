package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The followed files from which rotation may have made a new file. Finds them by their first bytes, so that the cost of a new
 * file does not grow with the number of files. Not thread-safe.
 */
final class CopyCandidates {

    private static final Logger LOG = LoggerFactory.getLogger(CopyCandidates.class);

    private final Map<String, TrackedFile> partitions;
    /** The files that were removed or cut; null if the scan has not needed them. */
    private ContentFingerprint.Index<TrackedFile> left;

    /** The files whose first bytes are not indexed, or have changed. */
    private final Set<TrackedFile> unindexed = new LinkedHashSet<>();

    private final Map<TrackedFile, byte[]> heads = new LinkedHashMap<>();
    private final TreeMap<byte[], Set<TrackedFile>> byHead = new TreeMap<>(Arrays::compareUnsigned);
    /** A file that is in place and has content; null if none was found. */
    private TrackedFile inPlace;

    @FunctionalInterface
    interface Comparison {
        boolean matches(TrackedFile file) throws IOException;
    }

    /** Creates an empty set. The files in {@code partitions} are candidates. */
    CopyCandidates(Map<String, TrackedFile> partitions) {
        this.partitions = partitions;
    }

    void beginScan() {
        left = null;
    }

    /** Adds a file, or takes notice that its content is in another file now. */
    void add(TrackedFile file) {
        unindexed.add(file);
    }

    /** Returns whether any file was removed or cut. */
    boolean hasLeft() throws IOException {
        update();
        return !left.isEmpty();
    }

    /** Returns the files that were removed or cut and may have begun as a content. */
    List<TrackedFile> left(byte[] head) throws IOException {
        update();
        List<TrackedFile> found = new ArrayList<>();
        for (Set<TrackedFile> files : left.beginningOf(head)) {
            files.stream().filter(file -> file.isLeft() && isKnown(file)).forEach(found::add);
        }
        return found;
    }

    /** Returns a file in place that has content; null if there is none. */
    TrackedFile any(Predicate<TrackedFile> isOrigin) throws IOException {
        update();
        return inPlace != null && isInPlace(inPlace) && isOrigin.test(inPlace) ? inPlace : null;
    }

    /** Returns a file in place that begins with these bytes and matches; null if there is none. */
    TrackedFile beginning(byte[] bytes, Predicate<TrackedFile> isOrigin, Comparison comparison) throws IOException {
        update();
        for (Map.Entry<byte[], Set<TrackedFile>> each : byHead.tailMap(bytes).entrySet()) {
            if (!isBeginning(bytes, each.getKey())) {
                return null;
            }
            for (TrackedFile file : each.getValue()) {
                if (isInPlace(file) && isOrigin.test(file) && comparison.matches(file)) {
                    return file;
                }
            }
        }
        return null;
    }

    private static boolean isBeginning(byte[] bytes, byte[] head) {
        return head.length >= bytes.length && Arrays.equals(bytes, 0, bytes.length, head, 0, bytes.length);
    }

    private boolean isInPlace(TrackedFile file) {
        return file.isWhole() && file.size() > 0 && isKnown(file);
    }

    // Another file may have the partition by now: one that was removed, and is back.
    private boolean isKnown(TrackedFile file) {
        return partitions.get(file.partition()) == file;
    }

    // Once in a scan, after its listing: a copy that is listed may have bytes that its file got since the last scan.
    private void update() throws IOException {
        if (left == null) {
            left = leftFiles();
            forgetRemoved();
            heads.forEach((file, head) -> {
                if (mayDiffer(file, head)) {
                    unindexed.add(file);
                }
            });
        }
        unindexed.forEach(this::index);
        unindexed.clear();
    }

    private ContentFingerprint.Index<TrackedFile> leftFiles() throws IOException {
        ContentFingerprint.Index<TrackedFile> index =
                new ContentFingerprint.Index<>(Comparator.comparing(TrackedFile::partition));
        for (TrackedFile file : partitions.values()) {
            if (file.isLeft()) {
                add(index, file, file.marks.last());
                add(index, file, file.marks.plain.last());
                add(index, file, file.whole());
            }
        }
        return index;
    }

    private static void add(ContentFingerprint.Index<TrackedFile> index, TrackedFile file, ContentFingerprint mark) {
        if (mark != null) {
            index.add(mark.head(), mark.headHash(), file);
        }
    }

    private void forgetRemoved() {
        List<TrackedFile> removed =
                heads.keySet().stream().filter(file -> !isKnown(file)).toList();
        for (TrackedFile file : removed) {
            removeHead(file);
        }
        inPlace = heads.keySet().stream().filter(this::isInPlace).findFirst().orElse(null);
    }

    private static boolean mayDiffer(TrackedFile file, byte[] head) {
        try {
            return file.isWhole()
                    && (file.waitsForCopy()
                            || head.length < ContentFingerprint.MAX_BYTES && Files.size(file.path()) > head.length);
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", file.path(), e);
            return false;
        }
    }

    private void index(TrackedFile file) {
        removeHead(file);
        byte[] head = head(file);
        heads.put(file, head);
        if (head.length > 0) {
            byHead.computeIfAbsent(head, bytes -> new LinkedHashSet<>(2)).add(file);
        }
        inPlace = inPlace == null && isInPlace(file) ? file : inPlace;
    }

    private void removeHead(TrackedFile file) {
        byte[] head = heads.remove(file);
        if (head != null) {
            byHead.computeIfPresent(head, (same, files) -> files.remove(file) && files.isEmpty() ? null : files);
        }
    }

    private static byte[] head(TrackedFile file) {
        try {
            return file.bytes(0, ContentFingerprint.MAX_BYTES);
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", file.path(), e);
            return new byte[0];
        }
    }
}
