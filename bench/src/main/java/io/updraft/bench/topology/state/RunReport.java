package io.updraft.bench.topology.state;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The counts of the tasks of one process, in the form that is sent to the harness.
 *
 * <pre>
 *   report     = gcMillis:long n:int task*n hasDetails:boolean [details]
 *   task       = component:UTF count:long, one for each {@link TaskCounter} in its order
 *   details    = size:int latencies:byte*size n:int words*n
 *   words      = n:int (word:UTF count:int)*n
 * </pre>
 *
 * @param tasks the counts of each task
 * @param gcMillis garbage collection time of the process, in milliseconds
 * @param latencies latencies of the measurement in nanoseconds, or null if not requested
 * @param words the word counts of each counting task; empty if not requested
 */
record RunReport(List<Task> tasks, long gcMillis, Histogram latencies, List<Map<String, Integer>> words) {

    private static final int MOST_TASKS = 1 << 16;
    private static final int MOST_WORDS = 1 << 20;
    private static final int MOST_BYTES = 16 << 20;

    /**
     * The counts of one task.
     *
     * @param component the id of the task's component
     * @param counts one count for each {@link TaskCounter}, in its order
     */
    record Task(String component, long[] counts) {}

    void write(DataOutput out) throws IOException {
        out.writeLong(gcMillis);
        out.writeInt(tasks.size());
        for (Task task : tasks) {
            out.writeUTF(task.component());
            for (long count : task.counts()) {
                out.writeLong(count);
            }
        }
        out.writeBoolean(latencies != null);
        if (latencies != null) {
            writeLatencies(out);
            writeWords(out);
        }
    }

    private void writeLatencies(DataOutput out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int size = latencies.encodeIntoCompressedByteBuffer(bytes);
        out.writeInt(size);
        out.write(bytes.array(), 0, size);
    }

    private void writeWords(DataOutput out) throws IOException {
        out.writeInt(words.size());
        for (Map<String, Integer> part : words) {
            out.writeInt(part.size());
            for (Map.Entry<String, Integer> word : part.entrySet()) {
                out.writeUTF(word.getKey());
                out.writeInt(word.getValue());
            }
        }
    }

    /** {@return the report that {@link #write} wrote; throws {@link IOException} if the input is not a report} */
    static RunReport read(DataInput in) throws IOException {
        long gcMillis = in.readLong();
        int count = size(in, MOST_TASKS);
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(readTask(in));
        }
        return in.readBoolean()
                ? new RunReport(tasks, gcMillis, readLatencies(in), readWords(in))
                : new RunReport(tasks, gcMillis, null, List.of());
    }

    private static Task readTask(DataInput in) throws IOException {
        String component = in.readUTF();
        long[] counts = new long[TaskCounter.values().length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = in.readLong();
        }
        return new Task(component, counts);
    }

    private static Histogram readLatencies(DataInput in) throws IOException {
        byte[] bytes = new byte[size(in, MOST_BYTES)];
        in.readFully(bytes);
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), BenchTaskCounters.LONGEST_LATENCY);
        } catch (DataFormatException | RuntimeException e) { // the decoder does not validate its input
            throw new IOException("the report's latencies cannot be decoded: " + e, e);
        }
    }

    private static List<Map<String, Integer>> readWords(DataInput in) throws IOException {
        int parts = size(in, MOST_TASKS);
        List<Map<String, Integer>> words = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            Map<String, Integer> part = new HashMap<>();
            for (int left = size(in, MOST_WORDS); left > 0; left--) {
                part.put(in.readUTF(), in.readInt());
            }
            words.add(part);
        }
        return words;
    }

    private static int size(DataInput in, int most) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > most) {
            throw new IOException("the report has a size of " + size + ", allowed are 0 to " + most);
        }
        return size;
    }
}
