package io.updraft.observe.inspection;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** Writes the live objects of this process to a file, one dump at a time. The process stands still meanwhile. */
final class HeapDumper {
    /** Two dumps at the same time would both count on the space that is free. */
    static final Semaphore FREE = new Semaphore(1);

    private static final String SUFFIX = ".hprof";

    private HeapDumper() {}

    /** Writes a dump to a new file. {@return the path and the size} */
    static JsonObject dump(Path file) throws IOException {
        if (!FREE.tryAcquire()) {
            throw new IOException("a heap dump of this process is written already; try again when it is done");
        }
        try {
            return write(file.toAbsolutePath());
        } finally {
            FREE.release();
        }
    }

    private static JsonObject write(Path target) throws IOException {
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
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(target.toString(), true);
        } catch (IOException e) {
            // The disk may be full, and a part of a dump is of no use.
            Files.deleteIfExists(target);
            throw new IOException("cannot write " + target + ": " + e.getMessage(), e);
        }
        return JsonObject.of("file", target.toString())
                .with("bytes", Files.size(target))
                .with("millis", (System.nanoTime() - begin) / 1_000_000);
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
