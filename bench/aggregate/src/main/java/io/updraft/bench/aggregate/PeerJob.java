package io.updraft.bench.aggregate;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The job of a child JVM.
 *
 * @param peer the class name of a {@link MeasuredPeer}
 * @param windowMillis the window length in milliseconds
 */
record PeerJob(
        String peer,
        String bootstrapServers,
        String input,
        String output,
        int partitions,
        int parallelism,
        long windowMillis,
        Map<String, String> options) {

    /** Copies the options. */
    public PeerJob {
        options = Map.copyOf(options);
    }

    /** {@return the options whose names have a prefix, with the prefix removed} */
    Map<String, String> optionsOf(String prefix) {
        Map<String, String> found = new LinkedHashMap<>();
        options.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /** {@return an option's value, or {@code otherwise} if the option is not set} */
    String option(String name, String otherwise) {
        return options.getOrDefault(name, otherwise);
    }
}
