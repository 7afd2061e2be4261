package io.updraft.storm.multilang;

import io.updraft.engine.api.ForwardingSpout;
import java.util.Map;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A spout with a subprocess. It waits for the subprocess' answers on the executor's thread; a timer of its own tells by
 * reporting an error that there is none, and would then end the JVM. It does not when the spout is closed by then, which
 * also ends the subprocess, so that the waiting call fails and the executor is rebuilt.
 */
final class GuardedShellSpout extends ForwardingSpout {
    private static final long serialVersionUID = 1;

    private final transient Subprocesses subprocesses;
    private transient boolean opened;

    GuardedShellSpout(ShellSpout spout, Subprocesses subprocesses) {
        super(spout);
        this.subprocesses = subprocesses;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        try {
            super.open(conf, context, new Reports(collector));
            opened = true;
            subprocesses.announce();
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

    /** Emits as the collector does, and hears of the subprocess' death. */
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
