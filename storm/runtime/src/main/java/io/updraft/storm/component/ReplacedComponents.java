package io.updraft.storm.component;

import io.updraft.engine.api.ForwardingSpout;
import io.updraft.engine.api.TaskControl;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;

/** What runs in place of Storm's own components: quicker steps of Trident and windows, and guards around subprocesses. */
public final class ReplacedComponents {
    private ReplacedComponents() {}

    /**
     * Replaces the slow parts of one of Storm's own bolts.
     *
     * @param instance a spout or a bolt
     * @param conf the configuration of the component
     * @return the object for the engine to call; the instance itself if nothing is replaced
     */
    public static Object withoutStormsLimits(Object instance, Map<String, Object> conf) {
        Object windowed = CountWindowBolt.inPlaceOfWindowed(TridentBolt.aroundIfTrident(instance));
        return LateTupleBolt.aroundIfNeeded(StormTupleBolt.aroundIfNeeded(windowed, conf), conf);
    }

    /**
     * Wraps a component with a subprocess in a guard.
     *
     * <p>When such a subprocess dies or does not answer, Storm ends the whole worker, or in local mode writes errors forever.
     * With a guard, only the executor of the component restarts.
     *
     * @param instance a spout or a bolt
     * @param control the engine's control of the instance
     * @param pids creates the directory in which the subprocess writes its process id
     * @param shared the directory in which a Supervisor looks for process ids of its worker; empty outside of a Storm cluster
     * @return the object for the engine to call; the instance itself if it has no subprocess
     */
    public static Object guard(Object instance, TaskControl control, Supplier<Path> pids, Optional<Path> shared) {
        if (instance instanceof ShellSpout spout) {
            return new GuardedShellSpout(spout, new TaskSubprocesses(pids, shared));
        }
        if (instance instanceof ShellBolt bolt) {
            return new GuardedShellBolt(bolt, control, new TaskSubprocesses(pids, shared));
        }
        return instance;
    }

    /**
     * A spout with a subprocess, guarded against its death. {@link ShellSpout} waits for the subprocess's answers on the executor's
     * thread. Its timer reports an error when an answer is missing, and would then end the JVM. The timer does not do so if the
     * spout is closed by then. Closing also ends the subprocess, so that the waiting call fails and the executor restarts.
     */
    private static final class GuardedShellSpout extends ForwardingSpout {
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
}
