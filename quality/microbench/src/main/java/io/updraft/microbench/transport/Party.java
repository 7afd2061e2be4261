package io.updraft.microbench.transport;

import io.updraft.transport.Transport;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** A thread with its own transport. The thread idles as a worker's gateway does. */
final class Party implements AutoCloseable {

    private static final int LOOKS = 20;
    private static final long LONGEST_NANOS = 100_000_000;

    private final Transport transport;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Thread thread;
    private volatile BooleanSupplier condition = () -> false;
    private volatile CompletableFuture<Void> conditionMet = new CompletableFuture<>();
    private volatile boolean closing;

    /** Something to do with the transport. */
    interface Task<T> {
        T run(Transport transport) throws Exception;
    }

    Party(Transport transport) {
        this.transport = transport;
        thread = new Thread(this::run, "party");
        thread.start();
    }

    <T> T call(Task<T> task) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                result.complete(task.run(transport));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        transport.wakeUp();
        return orFailed(result);
    }

    /** Waits until something is true, which the thread looks at between two polls. */
    void until(BooleanSupplier wanted) throws Exception {
        CompletableFuture<Void> met = new CompletableFuture<>();
        conditionMet = met;
        condition = wanted;
        transport.wakeUp();
        orFailed(met);
    }

    private <T> T orFailed(CompletableFuture<T> result) throws Exception {
        CompletableFuture.anyOf(result, over).get();
        return result.get();
    }

    private void run() {
        try {
            int looks = 0;
            while (!closing) {
                looks = work() > 0 ? 0 : looks + 1;
                if (looks > LOOKS) {
                    transport.await(LONGEST_NANOS);
                    looks = 0;
                }
            }
            transport.close();
            over.complete(null);
        } catch (RuntimeException | Error failure) {
            over.completeExceptionally(failure);
        }
    }

    private int work() {
        int done = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            done++;
        }
        done += transport.poll();
        if (condition.getAsBoolean()) {
            condition = () -> false;
            conditionMet.complete(null);
        }
        return done;
    }

    @Override
    public void close() {
        closing = true;
        transport.wakeUp();
        over.join();
    }
}
