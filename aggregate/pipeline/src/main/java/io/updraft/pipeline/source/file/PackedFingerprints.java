package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.timeseries.record.RecordChunk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Fingerprints of the content of a packed file, from the chunks that were handed over. The thread that reads adds to them; any
 * thread may read.
 */
final class PackedFingerprints {

    final FingerprintHistory marks = new FingerprintHistory(null);
    private byte[] head;
    private byte[] tail = new byte[0];

    /** Adds the fingerprint at the end of the records of an open file, which may have no name by now. */
    void add(RecordSource.Event event, FileChannel channel) {
        if (event instanceof RecordSource.Event.Records records) {
            RecordChunk chunk = records.chunk();
            tail = last(tail, chunk.bytes(), chunk.length());
            try {
                head = head == null ? UnpackedContent.head(channel, ContentFingerprint.MAX_BYTES) : head;
                add(chunk);
            } catch (IOException e) {
                // An earlier or a later mark proves the position.
            }
        }
    }

    private void add(RecordChunk chunk) {
        marks.add(new ContentFingerprint(
                head.length,
                ContentFingerprint.hash(head, 0, head.length),
                chunk.to(),
                tail.length,
                ContentFingerprint.hash(tail, 0, tail.length)));
    }

    /** Returns the fingerprint of plain or packed content that proves a position best, as text; empty if there is none. */
    String best(FingerprintHistory plainMarks, long position) {
        ContentFingerprint plain = plainMarks.at(position);
        ContentFingerprint unpacked = marks.at(position);
        boolean isPlain = unpacked == null || plain != null && (plain.at() >= position || plain.at() > unpacked.at());
        ContentFingerprint best = isPlain ? plain : unpacked;
        return best == null ? "" : best.text();
    }

    /** Returns the last mark of a file; for one that was plain at first, the last mark of its packed content if that is further. */
    ContentFingerprint last(FingerprintHistory plainMarks) {
        ContentFingerprint plain = plainMarks.last();
        ContentFingerprint unpacked = marks.last();
        return plain != null && unpacked != null && unpacked.at() > plain.at() ? unpacked : plain;
    }

    private static byte[] last(byte[] before, byte[] bytes, int length) {
        int more = Math.min(length, ContentFingerprint.MAX_BYTES);
        int kept = Math.min(before.length, ContentFingerprint.MAX_BYTES - more);
        byte[] last = Arrays.copyOfRange(before, before.length - kept, before.length + more);
        System.arraycopy(bytes, length - more, last, kept, more);
        return last;
    }
}
