package io.updraft.testing.contract;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.testing.contract.Violation.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls a component on one thread, as an engine does, and checks that calls return and do not throw. */
final class CallGuard implements AutoCloseable {
    private final ViolationCollector findings;
    private final Duration limit;
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(job -> {
        Thread made = DaemonThreads.create("contract", job);
        thread.complete(made);
        return made;
    });
    private volatile boolean over;

    CallGuard(ViolationCollector findings, Duration limit) {
        this.findings = findings;
        this.limit = limit;
    }

    interface Call {
        void run() throws Exception;
    }

    /**
     * Makes a call.
     *
     * @return whether the call returned without throwing; always false after a call that did not return, and after
     *     {@link #giveUp}
     */
    boolean call(String subject, Call call) {
        if (over) {
            return false;
        }
        Future<?> done = executor.submit(() -> {
            call.run();
            return null;
        });
        try {
            done.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            over = true;
            findings.add(
                    Rule.RETURNS, subject + " has not returned after " + limit.toMillis() + " ms; it is at " + where());
        } catch (ExecutionException e) {
            if (!over) {
                findings.add(Rule.THROWS_NOTHING, subject + " threw " + thrown(e.getCause()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calling the component", e);
        }
        return false;
    }

    /** Returns whether the component is no longer called; missing acks or replays then prove nothing. */
    boolean isOver() {
        return over;
    }

    /** Stops all further calls and ignores exceptions of the current one. Called from within a call. */
    void giveUp() {
        over = true;
    }

    private static String thrown(Throwable thrown) {
        return thrown
                + Arrays.stream(thrown.getStackTrace())
                        .findFirst()
                        .map(frame -> " at " + frame)
                        .orElse("");
    }

    private String where() {
        StackTraceElement[] stack = thread.join().getStackTrace();
        return Stream.concat(
                        Arrays.stream(stack).limit(1),
                        Arrays.stream(stack)
                                .skip(1)
                                .filter(frame -> !frame.getClassName().startsWith("java.")))
                .limit(4)
                .map(String::valueOf)
                .collect(Collectors.joining(" < "));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
