package io.updraft.engine.run;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.topology.IComponent;

/**
 * The classes of an instance of a component: its own class, its superclasses, and the classes of the components that wrappers
 * of Storm or the engine contain.
 */
final class ComponentClasses {
    private final Set<String> classes = new HashSet<>();

    /** Finds the classes of the object that the engine calls; null for none. */
    ComponentClasses(Object instance) {
        if (instance != null) {
            add(instance);
        }
    }

    /** {@return whether a method of one of the classes, or of a nested class, is on the stack} */
    boolean isOn(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (isOwn(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /** {@return the classes without those of Storm and Updraft; all, if there are no others} */
    Set<String> ofTheUser() {
        Set<String> own = classes.stream().filter(name -> !isWrapper(name)).collect(Collectors.toSet());
        return own.isEmpty() ? Set.copyOf(classes) : own;
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
            if (classes.add(type.getName()) && isWrapper(type.getName())) {
                addFields(instance, type);
            }
        }
    }

    private static boolean isWrapper(String type) {
        return type.startsWith("org.apache.storm.") || type.startsWith("io.updraft.");
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
