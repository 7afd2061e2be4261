package io.updraft.storm.multilang;

import io.updraft.engine.api.TaskControl;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.ShellBolt;

/** Guards components that have a subprocess. */
public final class Shells {
    private Shells() {}

    /**
     * Puts a guard before a component with a subprocess.
     *
     * <p>Storm ends the whole worker when such a subprocess dies or does not answer, or, in local mode, writes errors for ever.
     * With a guard its executor is rebuilt, and nothing else notices.
     *
     * @param instance a spout or a bolt
     * @param control the engine's hold on it
     * @param pids makes the directory in which its subprocess leaves its number
     * @param shared the directory in which a Supervisor looks for the processes of its worker; empty outside of a Storm cluster
     * @return what the engine is to call; the same if it has no subprocess
     */
    public static Object guard(Object instance, TaskControl control, Supplier<Path> pids, Optional<Path> shared) {
        if (instance instanceof ShellSpout spout) {
            return new GuardedShellSpout(spout, new Subprocesses(pids, shared));
        }
        if (instance instanceof ShellBolt bolt) {
            return new GuardedShellBolt(bolt, control, new Subprocesses(pids, shared));
        }
        return instance;
    }
}
