package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.cluster.local.Deployment.EarlierCounts;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.Move;
import io.updraft.storm.TopologyChange;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a topology in other workers: pauses it, waits for tuples in flight, stops the workers, and starts those of the new plan.
 * This happens on a thread of its own, {@code rebalance-<id>}, which is never interrupted: halfway there are no workers, and
 * the caller may have stopped waiting by then.
 *
 * <p>Old and new workers never run at the same time. They would share directories, memory, and the ports that their JVM options
 * name.
 */
final class Redeployment {
    private static final Logger LOG = LoggerFactory.getLogger(Redeployment.class);

    private final LocalWorkers workers;
    private final EngineOptions options;
    private final WorkerSettings settings;

    /** Loads the topology's classes; the context class loader of a later caller may not. */
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private final ReentrantLock underWay = new ReentrantLock();

    Redeployment(LocalWorkers workers, EngineOptions options, WorkerSettings settings) {
        this.workers = workers;
        this.options = options;
        this.settings = settings;
    }

    Deployment first(WorkerLayout layout) {
        return deployment(layout, new EarlierCounts(System.nanoTime(), null));
    }

    private Deployment deployment(WorkerLayout layout, EarlierCounts earlier) {
        if (layout.workers() < layout.requested()) {
            report("has " + layout.workers() + " executors; it runs in " + layout.workers() + " workers instead of "
                    + layout.requested());
        }
        return new Deployment(layout, options, settings, workers::die, earlier);
    }

    boolean carryOut(TopologyChange change, Duration limit) throws InterruptedException {
        FutureTask<Boolean> done = new FutureTask<>(() -> redeploy(change, limit));
        Thread thread = DaemonThreads.create("rebalance-" + options.id(), done);
        thread.setContextClassLoader(loader);
        thread.start();
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e.getCause());
        }
    }

    /** Waits for a redeployment in progress, and prevents further ones. To be called when the topology is over. */
    void end() {
        underWay.lock();
    }

    /**
     * Runs a redeployment under the lock. The lock is released before the caller is notified, so that the caller can start the
     * next one.
     */
    private boolean redeploy(TopologyChange change, Duration limit) throws InterruptedException {
        if (!underWay.tryLock()) {
            throw new IllegalStateException(
                    "topology '" + options.name() + "' is not rebalanced: it is ending, or already being rebalanced");
        }
        try {
            WorkerLayout now = workers.current().layout();
            WorkerLayout next = now.with(change, options, settings);
            if (workers.isOver() || next.isSameAs(now)) {
                return !workers.isOver();
            }
            LOG.info("rebalancing topology '{}' from {} workers to {}", options.name(), now.workers(), next.workers());
            workers.pause();
            try {
                return drain(limit) && replace(now, next);
            } finally {
                workers.resume();
            }
        } finally {
            underWay.unlock();
        }
    }

    private boolean drain(Duration limit) throws InterruptedException {
        if (!workers.awaitIdle(limit) && !workers.isOver()) {
            report("still had " + workers.snapshot().inFlightTrees() + " tuple trees in flight after waiting "
                    + limit.toSeconds() + " s for its rebalance; its spouts must replay them");
        }
        return !workers.isOver();
    }

    /** Replaces the workers by those of the next layout. {@return false when the topology is over} */
    private boolean replace(WorkerLayout now, WorkerLayout next) {
        Deployment old = workers.current();
        stop(old);
        workers.setWithoutWorkers();
        EarlierCounts earlier = old.earlier();
        try {
            Deployment started = deployment(next, earlier);
            started.note(new Move(
                    System.currentTimeMillis(),
                    "all executors",
                    now.workers() + " workers",
                    next.workers() + " new workers",
                    "rebalanced by an operator"));
            return startInstead(started, false);
        } catch (RuntimeException | Error e) {
            if (workers.isOver() || !restartPrevious(now, earlier, e)) {
                return false;
            }
            throw new IllegalStateException(
                    "topology '" + options.name() + "' was not rebalanced: " + reason(e)
                            + "; it runs on as before, in restarted workers",
                    e);
        }
    }

    /** Stops the workers of a deployment. They have ended afterwards, even if closing shared resources fails. */
    private static void stop(Deployment old) {
        try {
            old.stop();
        } catch (RuntimeException e) {
            LOG.warn("cannot close the resources that the workers shared", e);
        }
    }

    /** Replaces the deployment that has ended, and starts the next one. {@return false when the topology is over} */
    private boolean startInstead(Deployment next, boolean withRestarts) {
        if (!workers.replace(next)) {
            next.stop();
            next.close();
            return false;
        }
        next.start(withRestarts);
        return true;
    }

    /** Starts the previous layout again, with restarts until its workers run. {@return false when the topology is over} */
    private boolean restartPrevious(WorkerLayout layout, EarlierCounts earlier, Throwable cause) {
        report("was not rebalanced: " + reason(cause) + "; its workers are restarted as before");
        try {
            return startInstead(deployment(layout, earlier), true);
        } catch (RuntimeException | Error e) {
            workers.die(new ErrorReport(
                    System.currentTimeMillis(), "rebalance", -1, "starting workers", e, "the topology has ended"));
            throw new IllegalStateException(
                    "topology '" + options.name() + "' has ended: its rebalance failed (" + reason(cause)
                            + "), and its previous workers cannot be restarted: " + reason(e),
                    e);
        }
    }

    /**
     * Returns the reason of a failure: of an {@link InvalidTopology} the cause's message, because its own message repeats the
     * topology's name.
     */
    private static String reason(Throwable e) {
        return e instanceof InvalidTopology && e.getCause() != null
                ? e.getCause().getMessage()
                : String.valueOf(e.getMessage());
    }

    private void report(String event) {
        String line = "topology '" + options.name() + "' " + event;
        LOG.warn("{}", line);
        settings.output().message("updraft: " + line);
    }
}
