package io.updraft.storm.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.StormCommon;

/**
 * Classes that Storm makes by their name. It looks for them where it lies itself, and there a program's own jar is not: for a class
 * that it cannot see, one of ours is named, which it sees, and which makes the other.
 */
final class Loaded {

    /** Where the class itself is named. */
    static final String CLASS = "updraft.class";

    /** Where its own argument is. */
    static final String ARGUMENT = "updraft.argument";

    private static final String STORMS_CLASS = "class";

    private Loaded() {}

    /** Whether Storm sees a class. */
    static boolean isSeenByStorm(String name) {
        try {
            Class.forName(name, false, StormCommon.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Makes what is named, with the loader of the program that the calling thread runs. */
    static <T> T make(String setting, Object name, Class<T> kind) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return NamedClass.make(setting, NamedClass.find(setting, String.valueOf(name), kind, loader));
    }

    /**
     * Puts ours in place of the classes that Storm does not see, unless it does not see ours either: in a worker of a Storm cluster
     * Storm sees the program, and not us.
     *
     * @param registered a list of maps, each of which names a class; or null
     * @param ours the name of the class that makes the others
     * @param argument the key of their argument; null if it gets the whole map
     * @return the same list, if Storm sees all
     */
    static List<Map<String, Object>> replace(Object registered, String ours, String argument) {
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
