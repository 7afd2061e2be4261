package io.updraft.storm.context;

import io.updraft.engine.api.TaskControl;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.ICredentialsListener;

/**
 * The credentials of a topology. As in Storm, each component that implements {@link ICredentialsListener} receives them before
 * it is opened or prepared, and again after each upload. Without credentials it receives an empty map. The calls run on the
 * thread of the component.
 *
 * <p>Safe to use from any thread.
 */
final class ComponentCredentials {
    private final Map<Integer, Listener> listeners = new ConcurrentHashMap<>();
    private volatile Map<String, String> current = Map.of();

    private record Listener(ICredentialsListener instance, TaskControl control) {
        void receive(Map<String, String> credentials) {
            instance.setCredentials(new HashMap<>(credentials));
        }
    }

    /** Replaces all credentials. */
    void set(Map<String, String> credentials) {
        Map<String, String> all = Collections.unmodifiableMap(new HashMap<>(Objects.requireNonNull(credentials)));
        current = all;
        listeners.values().forEach(each -> each.control().run(() -> each.receive(all)));
    }

    /** Registers a new instance of a task in place of the previous one, before the instance is opened. */
    void adopt(Object instance, int task, TaskControl control) {
        if (instance instanceof ICredentialsListener listening) {
            Listener listener = new Listener(listening, control);
            listeners.put(task, listener);
            listener.receive(current);
        }
    }
}
