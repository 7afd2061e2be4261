package io.updraft.storm.component;

import io.updraft.engine.api.TaskControl;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * A bolt with a subprocess, guarded against its death. {@link ShellBolt} reports the death repeatedly, from each of its three
 * threads. The first report makes the executor fail, on the executor's own thread. Each reporting thread is blocked until the
 * bolt is closed. An executor that waits for room in the bolt's queue, which no thread empties any more, is interrupted.
 */
final class GuardedShellBolt implements IBolt {
    private static final long serialVersionUID = 1;

    /** The prefix of {@link ShellBolt} for an error that a live subprocess reports. */
    private static final String REPORTED = "Shell Process Exception: ";

    private final transient ShellBolt bolt;
    private final transient TaskControl control;
    private final transient TaskSubprocesses subprocesses;
    private final transient Object lock = new Object();

    /** The cause of the subprocess's death, or of its silence; null while it lives. Guarded by the lock. */
    private transient Throwable death;

    /** The executor's thread while it is in {@link #execute}, else null. Guarded by the lock. */
    private transient Thread executing;

    private final transient CountDownLatch closed = new CountDownLatch(1);

    /** Tuples that the subprocess holds; they fail when it dies. */
    private final transient Set<Tuple> held =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    private transient OutputCollector collector;
    private transient boolean prepared;

    GuardedShellBolt(ShellBolt bolt, TaskControl control, TaskSubprocesses subprocesses) {
        this.bolt = bolt;
        this.control = control;
        this.subprocesses = subprocesses;
    }

    static boolean isDeath(Throwable error) {
        return error.getMessage() == null || !error.getMessage().startsWith(REPORTED);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        try {
            this.collector = collector;
            bolt.prepare(conf, context, new Reports(collector));
            prepared = true;
            subprocesses.reportToSupervisor();
        } catch (RuntimeException e) {
            subprocesses.end();
            throw e;
        }
    }

    @Override
    public void execute(Tuple input) {
        held.add(input);
        begin();
        try {
            bolt.execute(input);
        } catch (RuntimeException e) {
            // If the subprocess is dead, this is the interrupt, and end() throws.
            if (!isDead()) {
                throw e;
            }
        } finally {
            end();
        }
    }

    private void begin() {
        synchronized (lock) {
            if (death != null) {
                throw new SubprocessDiedException(death);
            }
            executing = Thread.currentThread();
        }
    }

    private void end() {
        synchronized (lock) {
            executing = null;
            if (death != null) {
                // Clears the interrupt that ended the wait.
                Thread.interrupted();
                throw new SubprocessDiedException(death);
            }
        }
    }

    private boolean isDead() {
        synchronized (lock) {
            return death != null;
        }
    }

    @Override
    public void cleanup() {
        try {
            if (prepared) {
                bolt.cleanup();
            }
        } finally {
            closed.countDown();
            subprocesses.end();
            failHeld();
        }
    }

    /** Fails the tuples at once, so that they are replayed before their timeout. */
    private void failHeld() {
        if (isDead()) {
            List.copyOf(held).forEach(collector::fail);
            held.clear();
        }
    }

    private void onDeath(Throwable error) {
        synchronized (lock) {
            if (death == null) {
                death = error;
                if (executing == null) {
                    control.run(() -> {
                        throw new SubprocessDiedException(error);
                    });
                } else {
                    executing.interrupt();
                }
            }
        }
        try {
            closed.await();
        } catch (InterruptedException e) {
            // The bolt is being closed; its thread checks that and ends.
            Thread.currentThread().interrupt();
        }
    }

    /** Forwards to the collector and intercepts the report of the subprocess's death. */
    private final class Reports extends OutputCollector {
        private Reports(OutputCollector collector) {
            super(collector);
        }

        @Override
        public void ack(Tuple input) {
            held.remove(input);
            super.ack(input);
        }

        @Override
        public void fail(Tuple input) {
            held.remove(input);
            super.fail(input);
        }

        @Override
        public void reportError(Throwable error) {
            if (isDeath(error)) {
                onDeath(error);
            } else {
                super.reportError(error);
            }
        }
    }
}
