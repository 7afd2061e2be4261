package io.updraft.cluster.local;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.storm.TopologyChange;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a topology in other workers: pauses it, waits for what is in flight, lets the workers end, and starts those of the new
 * plan. It does so on a thread of its own, {@code rebalance-<id>}, which nobody interrupts: halfway there are no workers, and
 * whoever waits for it may be gone by then.
 *
 * <p>Old and new workers are not there at the same time: they would share ports that their options name, directories and memory.
 */
final class Redeployment {
    private static final Logger LOG = LoggerFactory.getLogger(Redeployment.class);

    private final LocalWorkers workers;
    private final EngineOptions options;
    private final WorkerSettings settings;

    /** Knows the topology's classes, which a caller later on may not. */
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /** Held from the first step to the last. */
    private final ReentrantLock underWay = new ReentrantLock();

    Redeployment(LocalWorkers workers, EngineOptions options, WorkerSettings settings) {
        this.workers = workers;
        this.options = options;
        this.settings = settings;
    }

    /** {@return what the topology begins with} */
    Deployment first(Layout layout) {
        return deployment(layout, Past.none());
    }

    private Deployment deployment(Layout layout, Past past) {
        if (layout.workers() < layout.wanted()) {
            tell("topology '" + options.name() + "' has " + layout.workers() + " executors, so that it runs in "
                    + layout.workers() + " workers instead of " + layout.wanted());
        }
        return Deployment.of(layout, options, settings, workers.failures(options), past);
    }

    /** See {@link LocalWorkers#change}. */
    boolean carryOut(TopologyChange change, Duration limit) throws InterruptedException {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> run(change, limit, done), "rebalance-" + options.id());
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        thread.start();
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e.getCause());
        }
    }

    /** Waits until nothing is under way any more, and lets nothing begin. To be called when the topology is over. */
    void end() {
        underWay.lock();
    }

    private void run(TopologyChange change, Duration limit, CompletableFuture<Boolean> done) {
        try {
            done.complete(carryOutAlone(change, limit));
        } catch (Throwable e) {
            done.completeExceptionally(e);
        }
    }

    /** It is over before its caller hears of it, so that the next one can begin then. */
    private boolean carryOutAlone(TopologyChange change, Duration limit) throws InterruptedException {
        if (!underWay.tryLock()) {
            throw new IllegalStateException(
                    "topology '" + options.name() + "' is not rebalanced: it ends, or another rebalance is under way");
        }
        try {
            return carryOutNow(change, limit);
        } finally {
            underWay.unlock();
        }
    }

    private boolean carryOutNow(TopologyChange change, Duration limit) throws InterruptedException {
        Layout now = workers.current().layout();
        Layout next = now.with(change, options, settings);
        if (workers.isOver() || next.isSameAs(now)) {
            return !workers.isOver();
        }
        LOG.info("topology '{}' is rebalanced: {} workers, then {}", options.name(), now.workers(), next.workers());
        workers.pause();
        try {
            return drain(limit) && replace(now, next);
        } finally {
            workers.resume();
        }
    }

    /** {@return false when the topology is over} */
    private boolean drain(Duration limit) throws InterruptedException {
        if (!workers.awaitIdle(limit) && !workers.isOver()) {
            tell("topology '" + options.name() + "' still had "
                    + workers.snapshot().inFlightTrees()
                    + " messages in flight after the wait of " + limit.toSeconds()
                    + " s for its rebalance; its spouts have to send them again");
        }
        return !workers.isOver();
    }

    /** {@return false when the topology is over} */
    private boolean replace(Layout now, Layout next) {
        Deployment old = workers.current();
        stop(old);
        workers.setBetween();
        Past past = old.coordinator().past();
        try {
            Deployment fresh = deployment(next, past);
            return put(fresh, fresh::start);
        } catch (RuntimeException | Error e) {
            if (workers.isOver() || !goBack(now, past, e)) {
                return false;
            }
            throw new IllegalStateException(
                    "topology '" + options.name() + "' was not rebalanced: " + reason(e)
                            + "; it runs on as it was, in workers that are started again",
                    e);
        }
    }

    /** Its workers are gone after that, whatever else went wrong. */
    private static void stop(Deployment old) {
        try {
            old.stop();
        } catch (RuntimeException e) {
            LOG.warn("what the workers shared could not be closed", e);
        }
    }

    /** Has it take the place of the one that has ended, and starts it. {@return false when the topology is over} */
    private boolean put(Deployment next, Runnable start) {
        if (!workers.replace(next)) {
            next.stop();
            next.close();
            return false;
        }
        start.run();
        return true;
    }

    /** What ran before is started until it runs again. {@return false when the topology is over} */
    private boolean goBack(Layout layout, Past past, Throwable why) {
        tell("topology '" + options.name() + "' was not rebalanced: " + reason(why)
                + "; its workers are started again as they were");
        try {
            Deployment again = deployment(layout, past);
            return put(again, again::startAnyway);
        } catch (RuntimeException | Error e) {
            workers.die(
                    options,
                    new ErrorReport(
                            System.currentTimeMillis(),
                            "rebalance",
                            -1,
                            "starting workers",
                            e,
                            "the topology has ended"));
            throw new IllegalStateException(
                    "topology '" + options.name() + "' has ended: its rebalance failed (" + reason(why)
                            + "), and it cannot be started as it was either: " + reason(e),
                    e);
        }
    }

    /** Of a refusal the cause: its own message begins with the topology. */
    private static String reason(Throwable e) {
        return e instanceof InvalidTopology && e.getCause() != null
                ? e.getCause().getMessage()
                : String.valueOf(e.getMessage());
    }

    private void tell(String line) {
        LOG.warn("{}", line);
        settings.output().tell("updraft: " + line);
    }
}
