package io.updraft.storm.multilang;

import io.updraft.engine.api.ForwardingSpout;
import java.util.Map;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A spout with a subprocess, guarded against its death. {@link ShellSpout} waits for the subprocess's answers on the executor's
 * thread. Its timer reports an error when an answer is missing, and would then end the JVM. The timer does not do so if the
 * spout is closed by then. Closing also ends the subprocess, so that the waiting call fails and the executor restarts.
 */
final class GuardedShellSpout extends ForwardingSpout {
    private static final long serialVersionUID = 1;

    private final transient TaskSubprocesses subprocesses;
    private transient boolean opened;

    GuardedShellSpout(ShellSpout spout, TaskSubprocesses subprocesses) {
        super(spout);
        this.subprocesses = subprocesses;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        try {
            super.open(conf, context, new Reports(collector));
            opened = true;
            subprocesses.reportToSupervisor();
        } catch (RuntimeException e) {
            subprocesses.end();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            if (opened) {
                super.close();
            }
        } finally {
            subprocesses.end();
        }
    }

    /** Forwards to the collector and intercepts the report of the subprocess's death. */
    private final class Reports extends SpoutOutputCollector {

        private Reports(SpoutOutputCollector collector) {
            super(collector);
        }

        @Override
        public void reportError(Throwable error) {
            if (GuardedShellBolt.isDeath(error)) {
                close();
            } else {
                super.reportError(error);
            }
        }
    }
}
