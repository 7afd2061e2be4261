package io.updraft.storm;

import io.updraft.engine.api.TaskControl;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.ICredentialsListener;

/**
 * The credentials of a topology. As in Storm, components that listen are given them before they are opened or prepared, an
 * empty map if there are none, and whenever new ones are uploaded, on the thread that runs them.
 *
 * <p>Safe to use from any thread.
 */
final class ComponentCredentials {
    private final Map<Integer, Listener> listeners = new ConcurrentHashMap<>();
    private volatile Map<String, String> current = Map.of();

    private record Listener(ICredentialsListener instance, TaskControl control) {
        void tell(Map<String, String> credentials) {
            instance.setCredentials(new HashMap<>(credentials));
        }
    }

    /** Replaces all credentials. */
    void set(Map<String, String> credentials) {
        Map<String, String> all = Collections.unmodifiableMap(new HashMap<>(Objects.requireNonNull(credentials)));
        current = all;
        listeners.values().forEach(each -> each.control().run(() -> each.tell(all)));
    }

    /** Takes a new instance of a task, which is not open yet, in place of the one before. */
    void adopt(Object instance, int task, TaskControl control) {
        if (instance instanceof ICredentialsListener listening) {
            Listener listener = new Listener(listening, control);
            listeners.put(task, listener);
            listener.tell(current);
        }
    }
}
