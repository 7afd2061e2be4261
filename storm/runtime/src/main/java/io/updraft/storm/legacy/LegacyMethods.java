package io.updraft.storm.legacy;

import io.updraft.storm.legacy.bridge.LegacyCalls;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/** Finds replacements for methods that Storm has removed. Not thread-safe. */
final class LegacyMethods {
    /** The class of all replacements. */
    static final String CALLS = Type.getInternalName(LegacyCalls.class);

    private static final String STORM = "org/apache/storm/";

    /** Storm has its methods still. They are replaced because they submit with other defaults. */
    private static final String SUBMITTER = STORM + "StormSubmitter";

    private final Map<String, Class<?>> classes = new HashMap<>();

    /**
     * Returns the descriptor of the static method of the same name in {@link #CALLS} to call instead; null if the call stays as
     * it is: Storm has the method, and it does the same, or there is no replacement.
     */
    String bridge(boolean isStatic, String owner, String name, String descriptor) {
        if (!owner.startsWith(STORM)) {
            return null;
        }
        Method bridge = Stream.of(LegacyCalls.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .filter(each -> isStatic
                        ? Type.getMethodDescriptor(each).equals(descriptor)
                        : isForInstance(each, owner, descriptor))
                .findFirst()
                .orElse(null);
        boolean kept = !owner.equals(SUBMITTER) && exists(owner, name, descriptor);
        return bridge == null || kept ? null : Type.getMethodDescriptor(bridge);
    }

    private boolean isForInstance(Method bridge, String owner, String descriptor) {
        String whole = Type.getMethodDescriptor(bridge);
        String first = Type.getDescriptor(bridge.getParameterTypes()[0]);
        Class<?> receiver = classOf(owner);
        return whole.equals("(" + first + descriptor.substring(1))
                && receiver != null
                && bridge.getParameterTypes()[0].isAssignableFrom(receiver);
    }

    private boolean exists(String owner, String name, String descriptor) {
        Class<?> type = classOf(owner);
        return type != null
                && Stream.of(type.getMethods())
                        .anyMatch(each -> each.getName().equals(name)
                                && Type.getMethodDescriptor(each).equals(descriptor));
    }

    private Class<?> classOf(String internalName) {
        return classes.computeIfAbsent(internalName, LegacyMethods::load);
    }

    private static Class<?> load(String internalName) {
        try {
            return Class.forName(internalName.replace('/', '.'), false, LegacyMethods.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
