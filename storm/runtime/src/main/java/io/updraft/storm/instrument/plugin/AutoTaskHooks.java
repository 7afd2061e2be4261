package io.updraft.storm.instrument.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.hooks.ITaskHook;

/** The hooks that a topology adds to all of its tasks ({@code topology.auto.task.hooks}). */
public final class AutoTaskHooks {

    private final List<Class<? extends ITaskHook>> classes = new ArrayList<>();

    /** Loads the classes of the hooks; throws if one does not exist or is not a hook. */
    public AutoTaskHooks(Map<String, Object> conf, ClassLoader loader) {
        if (conf.get(Config.TOPOLOGY_AUTO_TASK_HOOKS) instanceof List<?> names) {
            names.forEach(name -> classes.add(ConfiguredClass.find(
                    Config.TOPOLOGY_AUTO_TASK_HOOKS, String.valueOf(name), ITaskHook.class, loader)));
        }
    }

    /** Creates one instance of each class. */
    public List<ITaskHook> make() {
        List<ITaskHook> hooks = new ArrayList<>();
        classes.forEach(each -> hooks.add(ConfiguredClass.make(Config.TOPOLOGY_AUTO_TASK_HOOKS, each)));
        return hooks;
    }
}
