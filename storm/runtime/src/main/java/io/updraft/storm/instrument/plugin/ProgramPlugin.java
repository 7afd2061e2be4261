package io.updraft.storm.instrument.plugin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.StormCommon;

/**
 * Classes that Storm creates by name. Storm looks for them in its own class loader, which does not see a program's jar. In
 * place of such a class, Storm gets the name of a class here, which Storm sees and which creates the program's class.
 */
public final class ProgramPlugin {

    /** The key of the name of the program's class. */
    static final String CLASS = "updraft.class";

    /** The key of the argument of the program's class. */
    static final String ARGUMENT = "updraft.argument";

    private static final String STORMS_CLASS = "class";

    private ProgramPlugin() {}

    /** Returns the name of the program's class behind a replaced one; null if the name was not replaced. */
    public static String programClassOf(Map<String, Object> replaced) {
        return (String) replaced.get(CLASS);
    }

    /** Returns whether Storm's class loader finds a class. */
    static boolean isSeenByStorm(String name) {
        try {
            Class.forName(name, false, StormCommon.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Creates an instance of the named class, by the class loader of the program that the calling thread runs. */
    static <T> T make(String setting, Object name, Class<T> kind) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return ConfiguredClass.make(setting, ConfiguredClass.find(setting, String.valueOf(name), kind, loader));
    }

    /**
     * Replaces the names of classes that Storm does not see by the name of a class here. Does nothing if Storm does not see the
     * class here either: in a worker of a Storm cluster, Storm sees the program but not this class.
     *
     * @param registered a list of maps, each with the name of a class; or null
     * @param ours the name of the class that creates the others
     * @param argument the key of the argument in these maps; null if the class receives the whole map
     * @return the list with replaced names; the same names if Storm sees all classes
     */
    public static List<Map<String, Object>> replace(Object registered, String ours, String argument) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object each : registered instanceof List<?> list ? list : List.of()) {
            Map<String, Object> info = new HashMap<>();
            ((Map<?, ?>) each).forEach((key, value) -> info.put(String.valueOf(key), value));
            String name = String.valueOf(info.get(STORMS_CLASS));
            if (!isSeenByStorm(name) && isSeenByStorm(ours)) {
                info.put(STORMS_CLASS, ours);
                info.put(CLASS, name);
                if (argument != null) {
                    Map<String, Object> wrapped = new HashMap<>();
                    wrapped.put(CLASS, name);
                    wrapped.put(ARGUMENT, info.get(argument));
                    info.put(argument, wrapped);
                }
            }
            all.add(info);
        }
        return all;
    }
}
