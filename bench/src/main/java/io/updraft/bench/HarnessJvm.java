package io.updraft.bench;

import io.updraft.bench.child.ChildMain;
import io.updraft.bench.process.ChildJvm;
import io.updraft.bench.process.ChildLost;
import io.updraft.bench.spec.ChildReport;
import io.updraft.bench.spec.ProgressRow;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A child JVM that executes runs: one run in its own process, or several runs in worker processes, one after the other. If the
 * child dies or hangs, the result is invalid and names the log. Used by one thread.
 */
public final class HarnessJvm implements AutoCloseable {

    private static final Duration OVERHEAD = Duration.ofSeconds(330);

    private final ChildJvm child;

    /**
     * Starts the child.
     *
     * @param classPath the child's class path
     * @param heap the child's heap, such as {@code 2g}
     * @param options further JVM options
     */
    public HarnessJvm(String classPath, String heap, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(options);
        // For the aeron transport: the media driver of all local workers runs in this child.
        all.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        child = new ChildJvm(ChildMain.class, classPath, heap, all);
    }

    /** {@return the child's log, which stays when the child is closed} */
    Path keepLog() {
        return child.keepLog();
    }

    /**
     * Executes a run.
     *
     * @param rows receives the progress rows, on the calling thread
     */
    public RunResult run(RunSpec spec, Consumer<ProgressRow> rows) throws InterruptedException {
        child.say(spec);
        long deadline = System.nanoTime()
                + OVERHEAD.plusMillis(spec.warmupMillis() + spec.testMillis()).toNanos();
        try {
            ChildReport report = child.await(Duration.ofNanos(deadline - System.nanoTime()));
            while (report.kind().equals(ChildMain.ROW)) {
                rows.accept(report.as(ProgressRow.class));
                report = child.await(Duration.ofNanos(deadline - System.nanoTime()));
            }
            RunResult result = report.as(RunResult.class);
            if (!result.valid()) {
                child.keepLog();
            }
            return result;
        } catch (ChildLost e) {
            return RunResult.failed(List.of(e.getMessage()));
        }
    }

    /** Ends the child. Idempotent. */
    @Override
    public void close() throws IOException {
        child.close();
    }
}
