package io.updraft.timeseries.decode;

/** Texts of a record that differ from its bytes, one after the other. Rows refer to them until the next record. */
class TextBuffer {

    private static final int MAX_KEPT = 1 << 20;

    byte[] bytes = new byte[256];
    int used;

    /** Makes room for some bytes after the used ones. */
    final void reserve(int length) {
        if (bytes.length - used < length) {
            // Rows may refer to the old array, so the old array is not reused.
            bytes = new byte[Math.max(2 * bytes.length, length)];
            used = 0;
        }
    }

    /** Frees the memory that a huge record needed. */
    final void forget() {
        if (bytes.length > MAX_KEPT) {
            bytes = new byte[256];
        }
    }
}
