package io.updraft.pipeline.source;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * The fingerprints of a file: those of its plain content, and those of its packed content, from the chunks that were handed over.
 * The thread that reads adds to them; any thread may read.
 */
final class FileFingerprints {

    final FingerprintHistory plain;
    private final FingerprintHistory packed = new FingerprintHistory(null);
    private byte[] head;
    private byte[] tail = new byte[0];

    /** Creates the fingerprints of a file. That of an earlier run may be null. */
    FileFingerprints(ContentFingerprint mark) {
        plain = new FingerprintHistory(mark);
    }

    /** Adds the fingerprint at the end of the records of an open packed file, which may have no name by now. */
    void addPacked(SourceEvent event, FileChannel channel) {
        if (event instanceof Chunk chunk) {
            tail = last(tail, chunk.bytes(), chunk.length());
            try {
                head = head == null ? UnpackedContent.head(channel, ContentFingerprint.MAX_BYTES) : head;
                add(chunk);
            } catch (IOException e) {
                // An earlier or a later mark proves the position.
            }
        }
    }

    private void add(Chunk chunk) {
        packed.add(new ContentFingerprint(
                head.length,
                ContentFingerprint.hash(head, 0, head.length),
                chunk.to(),
                tail.length,
                ContentFingerprint.hash(tail, 0, tail.length)));
    }

    /** Returns the plain fingerprint for a committed position; null if there is none. Earlier positions need none any more. */
    ContentFingerprint committed(long position) {
        packed.committed(position);
        return plain.committed(position);
    }

    /** Returns the fingerprint that proves a position best, as text; empty if there is none. */
    String text(long position) {
        ContentFingerprint read = plain.at(position);
        ContentFingerprint unpacked = packed.at(position);
        boolean isPlain = unpacked == null || read != null && (read.at() >= position || read.at() > unpacked.at());
        ContentFingerprint best = isPlain ? read : unpacked;
        return best == null ? "" : best.text();
    }

    /** Returns the last fingerprint; for a file that was plain at first, that of its packed content if it is further. */
    ContentFingerprint last() {
        ContentFingerprint read = plain.last();
        ContentFingerprint unpacked = packed.last();
        return read != null && unpacked != null && unpacked.at() > read.at() ? unpacked : read;
    }

    private static byte[] last(byte[] before, byte[] bytes, int length) {
        int more = Math.min(length, ContentFingerprint.MAX_BYTES);
        int kept = Math.min(before.length, ContentFingerprint.MAX_BYTES - more);
        byte[] last = Arrays.copyOfRange(before, before.length - kept, before.length + more);
        System.arraycopy(bytes, length - more, last, kept, more);
        return last;
    }
}
