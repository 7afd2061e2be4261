package io.updraft.cli.run;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when a thread ends for want of memory, whosever it is: nothing in it can be relied on any more, as in a worker. One
 * line says so, however many threads end. The logger is asked for then only: a command sets the log up after this. What else ends a
 * thread is printed as the JVM does.
 */
public final class OutOfMemory implements Thread.UncaughtExceptionHandler {
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Becomes the handler of all threads that have none of their own. */
    public static void handle() {
        Thread.setDefaultUncaughtExceptionHandler(new OutOfMemory());
    }

    private OutOfMemory() {}

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
        try {
            tell(thread, failure);
        } finally {
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
    }

    private static void tell(Thread thread, Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String where = trace.length == 0
                ? ""
                : " at " + trace[0].getClassName() + "." + trace[0].getMethodName() + "(" + trace[0].getFileName() + ":"
                        + trace[0].getLineNumber() + ")";
        System.err.println("updraft: out of memory in thread '" + thread.getName() + "'" + where + ": "
                + failure.getMessage() + "; the run ends at once (UPDRAFT_JAVA_OPTS=-Xmx... gives it more"
                + JarErrors.heapDump(failure) + ")");
        LoggerFactory.getLogger(OutOfMemory.class)
                .error("thread '{}' has ended for want of memory", thread.getName(), failure);
    }
}
