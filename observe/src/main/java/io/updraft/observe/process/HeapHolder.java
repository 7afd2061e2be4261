package io.updraft.observe.process;

import java.util.Locale;

/**
 * The component whose instances in a process hold most of its heap, as an estimate.
 *
 * @param component the component
 * @param tasks its tasks, for people: {@code task 4}
 * @param bytes what its instances hold
 * @param field the field that holds most, and what is in it
 */
public record HeapHolder(String component, String tasks, long bytes, String field) {
    /** {@return who holds the heap: component, tasks, field} */
    public String describe() {
        return "component '" + component + "' (" + tasks + "): " + field;
    }

    /**
     * Formats a number of bytes.
     *
     * @param bytes the number
     * @return mebibytes or gibibytes
     */
    public static String size(long bytes) {
        double mebibytes = bytes / (double) (1 << 20);
        return mebibytes < 1024
                ? String.format(Locale.ROOT, "%.1f MiB", mebibytes)
                : String.format(Locale.ROOT, "%.1f GiB", mebibytes / 1024);
    }
}
