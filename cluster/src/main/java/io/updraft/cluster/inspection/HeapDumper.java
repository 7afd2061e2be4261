package io.updraft.cluster.inspection;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the live objects of this process to a file. The process stands still meanwhile. */
final class HeapDumper {
    private static final String SUFFIX = ".hprof";

    private HeapDumper() {}

    /** Writes a dump to a new file. {@return the path and the size} */
    static Map<String, Object> dump(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        if (!target.toString().endsWith(SUFFIX)) {
            throw new IOException("the name of a heap dump must end with " + SUFFIX + ": " + target);
        }
        if (Files.exists(target)) {
            throw new FileAlreadyExistsException(target + " exists already; it is not overwritten");
        }
        Path directory = target.getParent();
        if (!Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory);
        }
        requireSpace(directory);
        long begin = System.nanoTime();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(target.toString(), true);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("file", target.toString());
        answer.put("bytes", Files.size(target));
        answer.put("millis", (System.nanoTime() - begin) / 1_000_000);
        return answer;
    }

    // A dump has about the size of the used heap. A full disk would harm the run.
    private static void requireSpace(Path directory) throws IOException {
        long needed = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < needed + needed / 10) {
            throw new IOException("not enough space in " + directory + ": the dump may need " + (needed >> 20)
                    + " MiB, " + (free >> 20) + " MiB are free; choose another directory");
        }
    }
}
