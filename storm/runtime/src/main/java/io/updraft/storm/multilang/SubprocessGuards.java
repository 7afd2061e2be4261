package io.updraft.storm.multilang;

import io.updraft.engine.api.TaskControl;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.ShellBolt;

/** Guards components with subprocesses. */
public final class SubprocessGuards {
    private SubprocessGuards() {}

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
}
