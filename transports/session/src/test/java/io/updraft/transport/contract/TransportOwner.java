package io.updraft.transport.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.updraft.transport.Transport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A thread that owns transports, as a worker's network thread would: polls them, waits when there is nothing to do, and in
 * between runs what the test asks of it. One for each transport, or one for several.
 */
public final class TransportOwner implements AutoCloseable {

    /** How long a condition may take to come true, seconds; more where the machine itself is emulated. */
    public static final int DEADLINE_SECONDS = Integer.getInteger("updraft.test.deadline.seconds", 50);

    /** Set while a thread is in await, where no handler may be called. */
    private static final ThreadLocal<Boolean> AWAITING = ThreadLocal.withInitial(() -> false);

    private static final long IDLE_NANOS = MILLISECONDS.toNanos(5);

    private final List<Transport> transports;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile Throwable failure;

    // The thread's own.
    private final Set<Transport> stopped = new HashSet<>();
    private final List<Wish> wishes = new ArrayList<>();

    /**
     * Starts a thread that polls.
     *
     * @param transports what it owns from now on
     */
    public TransportOwner(Transport... transports) {
        this.transports = List.of(transports);
        thread = new Thread(this::run, "owner");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Runs something on the thread, between two polls, and waits for it.
     *
     * @param what what to run
     * @param <T> type of its result
     * @return its result
     * @throws Exception what it throws
     */
    public <T> T call(Callable<T> what) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(() -> complete(result, what));
        return get(result, "a task of the test");
    }

    /**
     * Runs something on the thread, between two polls, and waits for it.
     *
     * @param what what to run
     * @throws Exception what it throws
     */
    public void run(Step what) throws Exception {
        call(() -> {
            what.run();
            return null;
        });
    }

    /**
     * Waits until a condition is true; it is looked at on the thread, after each round of polls.
     *
     * @param what the condition in words
     * @param condition the condition
     * @throws Exception what the condition throws
     */
    public void until(String what, BooleanSupplier condition) throws Exception {
        CompletableFuture<Void> result = new CompletableFuture<>();
        submit(() -> wishes.add(new Wish(condition, result)));
        get(result, what);
    }

    /**
     * Polls one of the transports no more: a receiver that stands still.
     *
     * @param transport which one
     * @throws Exception never, in the end
     */
    public void stop(Transport transport) throws Exception {
        run(() -> stopped.add(transport));
    }

    /**
     * Polls a transport that was stopped again.
     *
     * @param transport which one
     * @throws Exception never, in the end
     */
    public void resume(Transport transport) throws Exception {
        run(() -> stopped.remove(transport));
    }

    /** Closes the transports, each on this thread as it must be, and ends the thread. */
    @Override
    public void close() {
        closing = true;
        wakeUp();
        join();
        if (thread.isAlive()) {
            AssertionError stuck = new AssertionError("closing a transport does not end");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
        if (failure != null) {
            throw new AssertionError("polling or closing has thrown", failure);
        }
    }

    private void join() {
        try {
            thread.join(SECONDS.toMillis(DEADLINE_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void submit(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    private void wakeUp() {
        transports.forEach(Transport::wakeUp);
        LockSupport.unpark(thread);
    }

    private <T> T get(CompletableFuture<T> result, String what) throws Exception {
        long deadline = System.nanoTime() + SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            try {
                return result.get(100, MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (failure != null) {
                    throw new AssertionError("polling has thrown, while waiting for: " + what, failure);
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
                }
            } catch (ExecutionException thrown) {
                if (thrown.getCause() instanceof Exception exception) {
                    throw exception;
                }
                throw new AssertionError(what, thrown.getCause());
            }
        }
    }

    private void run() {
        try {
            while (!closing) {
                if (doWork() == 0) {
                    idle();
                }
            }
            transports.forEach(Transport::close);
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    private int doWork() {
        int work = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            work++;
        }
        for (Transport transport : transports) {
            work += stopped.contains(transport) ? 0 : transport.poll();
        }
        wishes.removeIf(Wish::hasComeTrue);
        return work;
    }

    private void idle() {
        long each = IDLE_NANOS / transports.size();
        for (Transport transport : transports) {
            if (stopped.contains(transport)) {
                LockSupport.parkNanos(each);
            } else {
                await(transport, each);
            }
        }
    }

    /**
     * Awaits, and lets handlers know that they must not be called meanwhile.
     *
     * @param transport what to await
     * @param nanos how long at the most
     */
    static void await(Transport transport, long nanos) {
        AWAITING.set(true);
        transport.await(nanos);
        AWAITING.set(false);
    }

    /** {@return whether this thread is in await} */
    static boolean isAwaiting() {
        return AWAITING.get();
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> what) {
        try {
            result.complete(what.call());
        } catch (Throwable thrown) {
            result.completeExceptionally(thrown);
        }
    }

    /** Something to do that may throw. */
    @FunctionalInterface
    public interface Step {

        /**
         * Does it.
         *
         * @throws Exception whatever goes wrong
         */
        void run() throws Exception;
    }

    private record Wish(BooleanSupplier condition, CompletableFuture<Void> result) {

        boolean hasComeTrue() {
            try {
                if (condition.getAsBoolean()) {
                    result.complete(null);
                }
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
            return result.isDone();
        }
    }
}
