package io.updraft.engine.topology;

import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.executor.Executor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.topology.IComponent;

/**
 * A thread that called {@code System.exit} and never returns from that call. Finds the executor whose code the thread runs. A
 * thread of the engine is in the turn of an executor. For a thread of the user only the classes on its stack identify the
 * component.
 *
 * @param thread the thread
 * @param stack the stack of the thread
 */
public record ExitingThread(Thread thread, StackTraceElement[] stack) {
    /**
     * The classes of an instance of a component: its own class, its superclasses, and the classes of the components that wrappers
     * of Storm or the engine contain.
     */
    private static final class ComponentClasses {
        private final Set<String> classes = new HashSet<>();

        /** Finds the classes of the object that the engine calls; null for none. */
        public ComponentClasses(Object instance) {
            if (instance != null) {
                add(instance);
            }
        }

        /** {@return whether a method of one of the classes, or of a nested class, is on the stack} */
        public boolean isOn(StackTraceElement[] stack) {
            for (StackTraceElement frame : stack) {
                if (isOwn(frame.getClassName())) {
                    return true;
                }
            }
            return false;
        }

        private boolean isOwn(String type) {
            int end = type.length();
            while (end > 0 && !classes.contains(type.substring(0, end))) {
                end = type.lastIndexOf('$', end - 1);
            }
            return end > 0;
        }

        private void add(Object instance) {
            for (Class<?> type = instance.getClass();
                    type != null && !type.getName().startsWith("java.");
                    type = type.getSuperclass()) {
                if (classes.add(type.getName()) && isWrapper(type)) {
                    addFields(instance, type);
                }
            }
        }

        private static boolean isWrapper(Class<?> type) {
            return type.getName().startsWith("org.apache.storm.")
                    || type.getName().startsWith("io.updraft.");
        }

        private void addFields(Object instance, Class<?> type) {
            for (Field field : type.getDeclaredFields()) {
                Object value = Modifier.isStatic(field.getModifiers()) ? null : valueOf(field, instance);
                if (value instanceof IComponent || value instanceof IBolt || value instanceof ISpout) {
                    add(value);
                }
            }
        }

        private static Object valueOf(Field field, Object instance) {
            try {
                field.setAccessible(true);
                return field.get(instance);
            } catch (ReflectiveOperationException | RuntimeException e) {
                return null; // The wrapped object cannot be read.
            }
        }
    }

    /** {@return whether the code belongs to one of the executors; the topology has then been ended with the failure} */
    public boolean blame(List<Executor> executors) {
        for (Executor executor : executors) {
            if (executor.turnThread().isTurnOf(thread)) {
                executor.exitedInTurn(CalledMethod.on(stack), ExitCalled.by(stack));
                return true;
            }
        }
        return blameOwner(executors);
    }

    private boolean blameOwner(List<Executor> executors) {
        List<Executor> owners = executors.stream()
                .filter(executor -> new ComponentClasses(executor.anyInstance()).isOn(stack))
                .toList();
        List<String> names = owners.stream()
                .map(executor -> executor.component().id())
                .distinct()
                .toList();
        if (names.isEmpty()) {
            return false;
        }
        String others = names.size() == 1 ? "" : " with code of the components " + String.join(", ", names);
        owners.get(0).failures().exitedOutside("thread '" + thread.getName() + "'" + others, ExitCalled.by(stack));
        return true;
    }

    /** Reports that a call of a component did not return when the topology was closed. */
    public void leaveBehind(Executor executor) {
        executor.failures().leftBehind(CalledMethod.on(stack), stack);
    }
}
