package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * A fingerprint of a file read up to a position: hashes of its first bytes and of the bytes before the position. A copy of the
 * file, or a packed version, unpacks to the same mark.
 *
 * @param head how many of the first bytes are hashed
 * @param headHash the hash of the first bytes
 * @param at the position
 * @param length how many bytes before the position are hashed
 * @param hash the hash of these bytes
 */
record ContentFingerprint(int head, long headHash, long at, int length, long hash) {

    /** How many bytes before a position are enough to distinguish files. */
    static final int MAX_BYTES = 1024;

    private static final int NUMBERS = 5;

    static ContentFingerprint of(FileIdentity identity, FileChannel channel, long at) throws IOException {
        byte[] tail = new byte[(int) Math.min(MAX_BYTES, at)];
        int length = UnpackedContent.read(channel, at - tail.length, tail);
        return new ContentFingerprint(identity.length(), identity.hash(), at, length, hash(tail, 0, length));
    }

    static ContentFingerprint ofWhole(String key, FileChannel channel) throws IOException {
        return of(FileIdentity.of(key, channel), channel, channel.size());
    }

    static long hash(byte[] bytes, int from, int to) {
        CRC32C hash = new CRC32C();
        hash.update(bytes, from, to - from);
        return hash.getValue();
    }

    /** Returns whether no other file has the same hash by chance. It covers too few bytes if only a header was read. */
    boolean isFull() {
        return length == MAX_BYTES;
    }

    String text() {
        return head + ":" + Long.toHexString(headHash) + ":" + at + ":" + length + ":" + Long.toHexString(hash);
    }

    /** Parses the output of {@link #text}. Throws an {@link IllegalArgumentException} for any other text. */
    static ContentFingerprint parse(String text) {
        String[] words = text.split(":");
        if (words.length != NUMBERS) {
            throw new IllegalArgumentException("not a mark: " + Arrays.toString(words));
        }
        return new ContentFingerprint(
                Integer.parseInt(words[0]),
                Long.parseUnsignedLong(words[1], 16),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Long.parseUnsignedLong(words[4], 16));
    }

    /**
     * Finds items by the first bytes of their content, however many items there are: one lookup for each number of bytes
     * that an item has a hash of. Not thread-safe.
     */
    static final class Index<T> {

        private final Comparator<? super T> order;
        private final TreeMap<Integer, Map<Long, NavigableSet<T>>> byLength = new TreeMap<>();

        /** Creates an empty index. Items with the same first bytes are returned in this order. */
        Index(Comparator<? super T> order) {
            this.order = order;
        }

        boolean isEmpty() {
            return byLength.isEmpty();
        }

        void add(int length, long hash, T item) {
            byLength.computeIfAbsent(length, size -> new HashMap<>())
                    .computeIfAbsent(hash, code -> new TreeSet<>(order))
                    .add(item);
        }

        void remove(int length, long hash, T item) {
            byLength.computeIfPresent(length, (size, byHash) -> {
                byHash.computeIfPresent(hash, (same, items) -> items.remove(item) && items.isEmpty() ? null : items);
                return byHash.isEmpty() ? null : byHash;
            });
        }

        /** Returns the items whose first bytes are those of a content: a set for each number of bytes. */
        List<NavigableSet<T>> beginningOf(byte[] content) {
            List<NavigableSet<T>> found = new ArrayList<>();
            CRC32C hash = new CRC32C();
            int hashed = 0;
            for (Map.Entry<Integer, Map<Long, NavigableSet<T>>> each :
                    byLength.subMap(0, true, content.length, true).entrySet()) {
                hash.update(content, hashed, each.getKey() - hashed);
                hashed = each.getKey();
                NavigableSet<T> items = each.getValue().get(hash.getValue());
                if (items != null) {
                    found.add(items);
                }
            }
            return found;
        }
    }
}
