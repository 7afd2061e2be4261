package io.updraft.observe.process;

/**
 * A heap that stays nearly full after collections.
 *
 * @param usedBytes what objects that have lived long used after the last collection
 * @param maxBytes the room for such objects
 * @param holder who holds most; null if no component holds much
 */
public record FullHeap(long usedBytes, long maxBytes, HeapHolder holder) {
    /**
     * Describes a heap that is nearly full.
     *
     * @param old its objects that have lived long
     * @param holder who holds most; null if no component holds much
     * @return the heap
     */
    public static FullHeap of(OldObjects old, HeapHolder holder) {
        return new FullHeap(old.usedBytes(), old.maxBytes(), holder);
    }

    /**
     * Describes the heap in one line, without its label.
     *
     * @param process whose heap it is, for example {@code worker 1}
     * @param longest the longest queue, which may explain a heap that no component holds
     * @return the line
     */
    public String describe(String process, LongestQueue longest) {
        return process + " has " + HeapHolder.size(usedBytes) + " of "
                + HeapHolder.size(maxBytes) + " for old objects in use after collections; "
                + (holder == null
                        ? "no component's fields hold much of it" + longest.describe()
                        : HeapHolder.size(holder.bytes()) + " are held by " + holder.describe());
    }
}
