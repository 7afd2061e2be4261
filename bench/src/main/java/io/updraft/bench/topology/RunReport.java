package io.updraft.bench.topology;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The counts of the tasks of one process, sent to the harness as one line of JSON.
 *
 * @param gcMillis garbage collection time of the process, in milliseconds
 * @param latencies latencies of the measurement: a compressed histogram in Base64, or null if not requested
 * @param words the word counts of each counting task; empty if not requested
 */
record RunReport(List<Task> tasks, long gcMillis, String latencies, List<Map<String, Integer>> words) {

    /**
     * The counts of one task.
     *
     * @param counts one count for each {@link TaskCounter}, in its order
     */
    record Task(String component, List<Long> counts) {}

    static String encoded(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int size = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), size));
    }

    /** {@return the latencies in nanoseconds; null if the report has none} */
    Histogram histogram() throws IOException {
        try {
            return latencies == null
                    ? null
                    : Histogram.decodeFromCompressedByteBuffer(
                            ByteBuffer.wrap(Base64.getDecoder().decode(latencies)), BenchTaskCounters.LONGEST_LATENCY);
        } catch (DataFormatException | RuntimeException e) { // the decoder does not validate its input
            throw new IOException("the report's latencies cannot be decoded: " + e, e);
        }
    }
}
