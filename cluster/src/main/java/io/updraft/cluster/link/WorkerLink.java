package io.updraft.cluster.link;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.run.InheritedSubject;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.transport.TransportException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.storm.task.GeneralTopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link of one worker to the other workers of its topology.
 *
 * <p>It is used in this order. First the link is opened, so that its addresses are known. Then the engine is started, with
 * {@link #wake} to wake the link. Then the link is started with the engine.
 *
 * <p>Methods may be called from any thread. The link works on a thread of its own.
 */
public final class WorkerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLink.class);

    private static final long CLOSE_MILLIS = 2_000;
    private static final long ANSWER_MILLIS = 1_000;

    private final LinkOptions options;
    private final Consumer<ErrorReport> onRefused;
    private final Consumer<Throwable> onFailure;
    private final CompletableFuture<Endpoints> listening = new CompletableFuture<>();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final GatewayIdleStrategy idleStrategy = new GatewayIdleStrategy();
    private final Thread thread;
    private Gateway gateway;
    private volatile boolean closing;

    private WorkerLink(LinkOptions options, Consumer<ErrorReport> onRefused, Consumer<Throwable> onFailure) {
        this.options = options;
        this.onRefused = onRefused;
        this.onFailure = onFailure;
        thread = DaemonThreads.create("updraft-gateway", InheritedSubject.of(this::run));
    }

    /**
     * Opens a link and starts to listen.
     *
     * @param options the options of the link
     * @param onRefused receives the tuples that could not be sent or read; must not block
     * @param onFailure receives the error after which the link cannot go on; called on the link's thread
     * @return a link that refuses all peers until it is started
     * @throws TransportException when there is no such transport, or it cannot listen; the message is one readable line
     */
    public static WorkerLink open(LinkOptions options, Consumer<ErrorReport> onRefused, Consumer<Throwable> onFailure)
            throws TransportException {
        WorkerLink link = new WorkerLink(options, onRefused, onFailure);
        link.thread.start();
        try {
            link.listening.get();
            return link;
        } catch (ExecutionException e) {
            throw new TransportException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            link.close();
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while beginning to listen", e);
        }
    }

    /** {@return the addresses on which other workers reach this one} */
    public Endpoints endpoints() {
        return listening.join();
    }

    /** Wakes the link if it sleeps. The engine calls this method; it may be called from any thread and is cheap. */
    public void wake() {
        idleStrategy.wake();
    }

    /**
     * Connects the engine to the workers given by {@link #setPeers}.
     *
     * @param remote the engine's interface to other workers
     * @param plan the plan of the topology
     * @param context the context of tuples from other workers
     */
    public void start(RemoteWorkers remote, Plan plan, GeneralTopologyContext context) {
        command(() -> gateway.start(remote, plan, context));
    }

    /**
     * Sets the current addresses of the other workers. A worker without an address has ended.
     *
     * @param peers the workers that can be reached; this worker may be among them
     */
    public void setPeers(List<PeerAddress> peers) {
        command(() -> gateway.setPeers(peers));
    }

    /**
     * Returns the traffic between this worker and the others.
     *
     * @return the current traffic; not quiet if the link does not answer within a second
     * @throws InterruptedException when the calling thread is interrupted
     */
    public Traffic traffic() throws InterruptedException {
        return ask(() -> gateway.traffic(), new Traffic(false, 0, 0));
    }

    /**
     * Returns whether this worker is connected to all other workers that can be reached.
     *
     * @return whether it is connected to all; false if the link does not answer within a second
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean isConnected() throws InterruptedException {
        return ask(() -> gateway.isConnected(), false);
    }

    private <T> T ask(Supplier<T> question, T otherwise) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        command(() -> answer.complete(question.get()));
        try {
            return answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return otherwise;
        }
    }

    /** Closes all connections. Frames in flight are lost. Waits up to two seconds for the transport to close. Idempotent. */
    @Override
    public void close() {
        closing = true;
        idleStrategy.wake();
        DaemonThreads.join(thread, CLOSE_MILLIS);
    }

    private void command(Runnable command) {
        commands.add(command);
        idleStrategy.wake();
    }

    // ---- on the gateway's thread -----------------------------------------------------------------------------

    private void run() {
        try (Messengers messengers = Messengers.open(options)) {
            idleStrategy.setMessengers(messengers);
            gateway = new Gateway(options, messengers, onRefused);
            listening.complete(gateway.listen());
            while (!closing) {
                if (runCommands() + gateway.doWork() > 0) {
                    idleStrategy.reset();
                } else {
                    idleStrategy.idle(gateway, () -> closing || !commands.isEmpty());
                }
            }
        } catch (TransportException | RuntimeException | Error e) {
            if (!listening.completeExceptionally(e)) {
                LOG.error(
                        "worker {}: the link to the other workers has failed",
                        options.self().worker(),
                        e);
                onFailure.accept(e);
            }
        }
    }

    private int runCommands() {
        int done = 0;
        for (Runnable next = commands.poll(); next != null; next = commands.poll()) {
            next.run();
            done++;
        }
        return done;
    }
}
