package io.updraft.bench.topology;

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
 * What the tasks of one process counted, as it goes to a harness in another.
 *
 * <pre>
 *   report     = gcMillis:long n:int task*n hasDetails:boolean [details]
 *   task       = component:UTF count:long, one for each {@link Counter} in its order
 *   details    = size:int latencies:byte*size n:int words*n
 *   words      = n:int (word:UTF count:int)*n
 * </pre>
 *
 * @param tasks what each task counted
 * @param gcMillis time that the process has spent collecting garbage
 * @param latencies those of the measured part, or null when they were not asked for
 * @param words the words of each counter; empty when they were not asked for
 */
record RunReport(List<Task> tasks, long gcMillis, Histogram latencies, List<Map<String, Integer>> words) {

    private static final int MOST_TASKS = 1 << 16;
    private static final int MOST_WORDS = 1 << 20;
    private static final int MOST_BYTES = 16 << 20;

    /**
     * What a task counted.
     *
     * @param component the id of the task's component
     * @param counts one for each {@link Counter}
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

    /** {@return what was written; an {@link IOException} tells of anything else} */
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
        long[] counts = new long[Counter.values().length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = in.readLong();
        }
        return new Task(component, counts);
    }

    private static Histogram readLatencies(DataInput in) throws IOException {
        byte[] bytes = new byte[size(in, MOST_BYTES)];
        in.readFully(bytes);
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), Probe.LONGEST_LATENCY);
        } catch (DataFormatException | RuntimeException e) { // it has no check of its own
            throw new IOException("no latencies: " + e, e);
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
            throw new IOException("a report with " + size + " parts where there are at most " + most);
        }
        return size;
    }
}
