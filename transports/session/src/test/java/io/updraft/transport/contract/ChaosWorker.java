package io.updraft.transport.contract;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntFunction;

/** A worker with sessions to all others, on a thread of its own; it can be killed, and returns as the next incarnation. */
final class ChaosWorker implements AutoCloseable {

    private static final long IDLE_NANOS = 2_000_000;

    /** Creates the objects of a worker for each incarnation. */
    interface Life {

        FaultyTransport transport() throws TransportException;

        MessengerOptions options(long incarnation);

        ChaosEnd end(int peer);
    }

    final int number;
    private final Life life;
    private final int workers;
    private final IntFunction<Address> addresses;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile Throwable failure;
    private volatile Map<Integer, ChaosEnd> ends = Map.of();

    // The thread's own.
    private FaultyTransport transport;
    private Messenger messenger;
    private Address at;
    private boolean listening;
    private boolean stopped;
    private long incarnation;

    ChaosWorker(int number, int workers, Address anyPort, IntFunction<Address> addresses, Life life) {
        this.number = number;
        this.workers = workers;
        this.addresses = addresses;
        this.life = life;
        at = anyPort;
        thread = new Thread(this::run, "worker-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts the next incarnation, where the one before listened. {@return where that is} */
    Address begin() throws Exception {
        return call(() -> {
            transport = life.transport();
            messenger = new Messenger(transport, life.options(++incarnation));
            Map<Integer, ChaosEnd> fresh = new TreeMap<>();
            for (int peer = 0; peer < workers; peer++) {
                if (peer != number) {
                    fresh.put(peer, life.end(peer));
                }
            }
            ends = fresh;
            listening = false;
            listen(true);
            for (int peer = number + 1; peer < workers; peer++) {
                messenger.connect(addresses.apply(peer), peer, fresh.get(peer));
            }
            return at;
        });
    }

    /** A port may stay taken for a moment after it was given back, but the one that is to be chosen can be had at once. */
    private void listen(boolean first) throws TransportException {
        Function<PeerIdentity, ChaosEnd> accept = peer -> ends.get(peer.worker());
        try {
            at = messenger.listen(at, accept::apply).address();
            listening = true;
        } catch (TransportException notYet) {
            if (first && at.port() == 0) {
                throw notYet;
            }
        }
    }

    /** Ends this incarnation without a word. */
    void kill() throws Exception {
        call(() -> {
            messenger.close();
            messenger = null;
            ends.values().forEach(ChaosEnd::die);
            return null;
        });
    }

    /** Does nothing at all for a while. */
    void stop(boolean whether) throws Exception {
        call(() -> stopped = whether);
    }

    /** Does something to the transport. */
    <T> T disturb(Function<FaultyTransport, T> what) throws Exception {
        return call(() -> what.apply(transport));
    }

    Map<Integer, ChaosEnd> ends() {
        return ends;
    }

    /** Fails with what the thread has failed with, if it has. */
    void check() {
        if (failure != null) {
            throw new AssertionError("worker " + number + " has failed", failure);
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(TransportOwner.DEADLINE_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            AssertionError stuck = new AssertionError("worker " + number + " does not end");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
        check();
    }

    private <T> T call(Callable<T> what) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                result.complete(what.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        LockSupport.unpark(thread);
        try {
            return result.get(TransportOwner.DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException thrown) {
            throw new AssertionError("worker " + number + ": " + thrown.getCause(), thrown.getCause());
        } catch (TimeoutException stuck) {
            check();
            AssertionError error = new AssertionError("worker " + number + " does not come round");
            error.setStackTrace(thread.getStackTrace());
            throw error;
        }
    }

    private void run() {
        try {
            while (!closing) {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                if (messenger == null || stopped) {
                    LockSupport.parkNanos(IDLE_NANOS);
                } else if (work() == 0) {
                    messenger.await(IDLE_NANOS);
                }
            }
            if (messenger != null) {
                messenger.close();
            }
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    private int work() throws TransportException {
        if (!listening) {
            listen(false);
        }
        int done = messenger.doWork();
        for (ChaosEnd end : ends.values()) {
            done += end.work();
        }
        return done;
    }
}
