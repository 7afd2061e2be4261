package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What a file held when it was read up to a position, by its first bytes and by those before the position. A packed file, or a copy, that
 * unpacks to these is the same.
 *
 * @param head how many of the first bytes are hashed
 * @param headHash their hash
 * @param at the position
 * @param length how many bytes before the position are hashed
 * @param hash their hash
 */
record ContentMark(int head, long headHash, long at, int length, long hash) {

    /** Bytes before a position that tell one file from another. */
    static final int MOST = 1024;

    private static final int NUMBERS = 5;

    /** Of an open file that was read up to a position. */
    static ContentMark of(FileIdentity identity, FileChannel channel, long at) throws IOException {
        byte[] tail = new byte[(int) Math.min(MOST, at)];
        int length = Content.read(channel, at - tail.length, tail);
        return new ContentMark(identity.length(), identity.hash(), at, length, hash(tail, 0, length));
    }

    static long hash(byte[] bytes, int from, int to) {
        CRC32C hash = new CRC32C();
        hash.update(bytes, from, to - from);
        return hash.getValue();
    }

    /** Whether so much is hashed that two files do not have it by chance: a header alone is less, as a rule. */
    boolean isFull() {
        return length == MOST;
    }

    String text() {
        return "%d:%x:%d:%d:%x".formatted(head, headHash, at, length, hash);
    }

    /** Reads what {@link #text} has written; throws an {@link IllegalArgumentException} if it is something else. */
    static ContentMark parse(String text) {
        String[] words = text.split(":");
        if (words.length != NUMBERS) {
            throw new IllegalArgumentException("no mark: " + Arrays.toString(words));
        }
        return new ContentMark(
                Integer.parseInt(words[0]),
                Long.parseUnsignedLong(words[1], 16),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Long.parseUnsignedLong(words[4], 16));
    }
}
