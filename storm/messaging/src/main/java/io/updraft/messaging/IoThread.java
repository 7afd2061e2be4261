package io.updraft.messaging;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.MessengerOptions;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code updraft-messaging}. It owns the transport and all sessions, and runs the tasks of Storm's threads. An error
 * that ends the thread goes to the handler of uncaught exceptions, which ends the process in a worker.
 */
final class IoThread implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(IoThread.class);
    private static final int CHUNK = 256;
    private static final int MAX_TASKS_PER_ROUND = 1_024;
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_SECONDS = 10;

    private final Messenger messenger;
    private final MpscUnboundedArrayQueue<Runnable> tasks = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Thread thread = DaemonThreads.create("updraft-messaging", this);
    /** Whether the thread waits, or is about to wait. A thread that adds a task then wakes it up. */
    private volatile boolean waiting;

    private volatile boolean closed;

    IoThread(Messenger messenger) {
        this.messenger = messenger;
    }

    static IoThread start(String transport, Map<String, Object> conf, MessengerOptions options)
            throws TransportException {
        Transport carrier = Transports.create(transport, TransportOptions.of(conf));
        IoThread io = new IoThread(new Messenger(carrier, options));
        io.thread.start();
        LOG.info("worker messages go over {}; with {}", carrier.description(), options.credentials());
        return io;
    }

    /** Owner only. */
    Messenger messenger() {
        return messenger;
    }

    boolean isOwner() {
        return Thread.currentThread() == thread;
    }

    /** Runs a task on this thread, after all tasks added before. From any thread; never blocks. */
    void execute(Runnable task) {
        tasks.add(task);
        // Dekker's handshake with idle(): either this thread sees waiting set, or idle() sees the task.
        VarHandle.fullFence();
        if (waiting) {
            waiting = false;
            messenger.wakeUp();
        }
    }

    void listen(Address at, InboundConnection inbound) throws TransportException {
        CompletableFuture<Void> result = new CompletableFuture<>();
        execute(() -> {
            try {
                inbound.listening(messenger.listen(at, inbound::accept));
                result.complete(null);
            } catch (TransportException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            result.get();
        } catch (ExecutionException e) {
            throw new TransportException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while starting to listen at " + at, e);
        }
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                if (doWork() == 0) {
                    idle();
                }
            }
            // Tasks added before the end are still sent, if the network takes them at once.
            doWork();
            messenger.doWork();
        } finally {
            messenger.close();
        }
    }

    /** Owner only. */
    int doWork() {
        return messenger.doWork() + runTasks();
    }

    private int runTasks() {
        int done = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            if (++done == MAX_TASKS_PER_ROUND) {
                break; // let the network have its turn
            }
        }
        return done;
    }

    /** Owner only. Waits, unless there is a task. */
    void idle() {
        waiting = true;
        if (tasks.isEmpty() && !closed) {
            messenger.await(MAX_WAIT_NANOS);
        }
        waiting = false;
    }

    /** Ends the thread and closes everything. From any other thread. Idempotent. */
    void close() {
        closed = true;
        messenger.wakeUp();
        DaemonThreads.join(thread, TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        if (thread.isAlive() && !isOwner()) {
            LOG.warn("thread {} has not ended within {} s", thread.getName(), CLOSE_SECONDS);
        }
    }
}
