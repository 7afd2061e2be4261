package io.updraft.storm.instrument;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.hooks.ITaskHook;

/** Finds and creates classes that settings name. An error is one line. */
final class ConfiguredClass {

    private ConfiguredClass() {}

    /** Finds a class by the name that a setting has; throws if there is none, or if it is of another type. */
    public static <T> Class<? extends T> find(String setting, String name, Class<T> kind, ClassLoader loader) {
        Class<?> found;
        try {
            found = Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(
                    setting + " names " + name
                            + ", but that class does not exist: put it on the class path of the topology"
                            + " or correct the name",
                    e);
        }
        if (!kind.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    setting + " names " + name + ", which is not a " + kind.getName() + ": correct the name");
        }
        return found.asSubclass(kind);
    }

    /** Creates an instance by the constructor without arguments; throws if that is not possible. */
    static <T> T make(String setting, Class<T> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    setting + " names " + type.getName() + ", whose constructor failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    setting + " names " + type.getName() + ", which cannot be created: give it a constructor without"
                            + " arguments, and do not make it abstract or an inner class",
                    e);
        }
    }

    /** The hooks that a topology adds to all of its tasks ({@code topology.auto.task.hooks}). */
    public static final class AutoTaskHooks {

        private final List<Class<? extends ITaskHook>> classes = new ArrayList<>();

        /** Loads the classes of the hooks; throws if one does not exist or is not a hook. */
        public AutoTaskHooks(Map<String, Object> conf, ClassLoader loader) {
            if (conf.get(Config.TOPOLOGY_AUTO_TASK_HOOKS) instanceof List<?> names) {
                names.forEach(name -> classes.add(ConfiguredClass.find(
                        Config.TOPOLOGY_AUTO_TASK_HOOKS, String.valueOf(name), ITaskHook.class, loader)));
            }
        }

        public List<ITaskHook> make() {
            List<ITaskHook> hooks = new ArrayList<>();
            classes.forEach(each -> hooks.add(ConfiguredClass.make(Config.TOPOLOGY_AUTO_TASK_HOOKS, each)));
            return hooks;
        }
    }
}
