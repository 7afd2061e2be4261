package io.updraft.cli.run;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.text.VisibleText;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.OutOfMemoryCapsules;
import io.updraft.observe.inspection.StateDirectory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when any thread ends with an {@code OutOfMemoryError}: the process is no longer reliable. A worker does the
 * same. One line reports the error, however many threads end. The logger is created only then, because a command sets up the
 * log after this handler. Any other exception that ends a thread is printed as the JVM prints it.
 */
public final class OutOfMemoryHandler implements Thread.UncaughtExceptionHandler {
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Installs the handler for all threads that have no handler of their own. */
    public static void handle() {
        Thread.setDefaultUncaughtExceptionHandler(new OutOfMemoryHandler());
    }

    /** Writes a capsule from now on when this process runs out of memory. The argument names the run. */
    static void writeCapsules(String run) {
        OutOfMemoryCapsules.install(DeathDirectory.in(StateDirectory.path()), run, System.err::println);
    }

    private OutOfMemoryHandler() {}

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            end(thread, failure);
        } else {
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            failure.printStackTrace();
        }
    }

    private void end(Thread thread, Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        // Each step may run out of memory itself, and must not keep the next one from being tried.
        try {
            MemoryWatch.processFailed(thread, failure);
        } finally {
            try {
                report(thread, failure);
            } finally {
                endProcess();
            }
        }
    }

    private static void endProcess() {
        try {
            MemoryWatch.awaitWritten();
        } finally {
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
    }

    private static void report(Thread thread, Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String frame = trace.length == 0
                ? ""
                : " at " + trace[0].getClassName() + "." + trace[0].getMethodName() + "(" + trace[0].getFileName() + ":"
                        + trace[0].getLineNumber() + ")";
        System.err.println(VisibleText.of("updraft: out of memory in thread '" + thread.getName() + "'" + frame + ": "
                + failure.getMessage() + "; the run ends at once (UPDRAFT_JAVA_OPTS=-Xmx... sets a larger heap"
                + RunErrors.heapDump(failure) + ")"));
        LoggerFactory.getLogger(OutOfMemoryHandler.class)
                .error("thread '{}' ran out of memory", thread.getName(), failure);
    }
}
