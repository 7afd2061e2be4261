package io.updraft.flux;

import io.updraft.base.text.Spelling;
import io.updraft.flux.ObjectSpec.ArgumentSpec;
import io.updraft.storm.ProgramInputException;
import io.updraft.storm.legacy.LegacyNames;
import io.updraft.storm.text.FailureMessages;
import io.updraft.storm.yaml.Position;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Creates the objects of a description. Stops at the first object that cannot be created, because later objects may refer to
 * it. The {@link ProgramInputException} names the line.
 */
final class ObjectFactory {
    private final ClassLoader loader;
    private final Map<String, Object> components = new LinkedHashMap<>();

    ObjectFactory(ClassLoader loader) {
        this.loader = loader;
    }

    void component(ObjectSpec spec) {
        components.put(spec.id(), make(spec, Object.class, "a component"));
    }

    /** Creates an object that must be of a type; {@code what} is the name of that type in messages. */
    <T> T make(ObjectSpec spec, Class<T> type, String role) {
        Object made = made(spec);
        spec.properties().forEach(property -> set(property, made));
        spec.configMethods().forEach(call -> call(call, made));
        if (!type.isInstance(made)) {
            throw error(
                    spec.where(),
                    made.getClass().getName() + " is not " + role + ": it does not implement " + type.getName());
        }
        return type.cast(made);
    }

    private Object made(ObjectSpec spec) {
        Class<?> type = classOf(spec);
        if (!spec.constructorArgs().isEmpty() || spec.factory() == null) {
            List<Object> arguments = resolve(spec.constructorArgs());
            Constructor<?> constructor = ArgumentConversion.nearest(
                            constructors(type), Constructor::getParameterTypes, arguments)
                    .orElseThrow(() -> error(
                            spec.where(),
                            type.getName() + " has no constructor for " + kinds(arguments) + signatures(type)));
            return call(
                    spec.where(),
                    type.getName(),
                    () -> constructor.newInstance(ArgumentConversion.fit(constructor.getParameterTypes(), arguments)));
        }
        List<Object> arguments = resolve(spec.factoryArgs());
        Method factory = method(type, spec.factory(), arguments, true);
        if (factory == null) {
            throw error(
                    spec.where(),
                    type.getName() + " has no public static method " + spec.factory() + " for " + kinds(arguments)
                            + signatures(type, spec.factory()));
        }
        Object made = call(
                spec.where(),
                name(factory),
                () -> factory.invoke(null, ArgumentConversion.fit(factory.getParameterTypes(), arguments)));
        if (made == null) {
            throw error(spec.where(), name(factory) + " returned null");
        }
        return made;
    }

    private Class<?> classOf(ObjectSpec spec) {
        try {
            Class<?> type = Class.forName(LegacyNames.ofText(spec.className()), true, loader);
            if (Modifier.isAbstract(type.getModifiers()) && spec.factory() == null) {
                throw error(spec.where(), spec.className() + " is abstract and cannot be instantiated");
            }
            return type;
        } catch (ClassNotFoundException e) {
            throw new ProgramInputException(
                    spec.where() + ": there is no class " + spec.className()
                            + "; put it into the jar (updraft run my.jar topology.yaml)",
                    e);
        } catch (LinkageError e) {
            throw new ProgramInputException(
                    spec.where() + ": " + spec.className() + " cannot be loaded: " + FailureMessages.oneLine(e), e);
        }
    }

    private static List<Constructor<?>> constructors(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors())
                .filter(each -> !Modifier.isPrivate(each.getModifiers()))
                .peek(ObjectFactory::open)
                .<Constructor<?>>map(each -> each)
                .toList();
    }

    private void set(ObjectSpec.Property property, Object object) {
        Object value = resolve(property.value());
        Class<?> type = object.getClass();
        String name = property.name();
        String setter = "set" + name.substring(0, Math.min(1, name.length())).toUpperCase(Locale.ROOT)
                + name.substring(Math.min(1, name.length()));
        Method method = method(type, setter, Collections.singletonList(value), false);
        if (method != null) {
            call(property.where(), name(method), () -> {
                method.invoke(object, ArgumentConversion.fit(method.getParameterTypes()[0], value));
                return null;
            });
            return;
        }
        Field field = Arrays.stream(type.getFields())
                .filter(each -> each.getName().equals(name)
                        && !Modifier.isFinal(each.getModifiers())
                        && ArgumentConversion.fits(each.getType(), value))
                .findFirst()
                .orElseThrow(() -> error(
                        property.where(),
                        type.getName() + " has neither a public method " + setter + " nor a public field " + name
                                + " for " + kind(value) + signatures(type, setter)));
        open(field);
        call(property.where(), name, () -> {
            field.set(object, ArgumentConversion.fit(field.getType(), value));
            return null;
        });
    }

    private void call(ObjectSpec.Call call, Object object) {
        List<Object> arguments = resolve(call.args());
        Method method = method(object.getClass(), call.name(), arguments, false);
        if (method == null) {
            throw error(
                    call.where(),
                    object.getClass().getName() + " has no public method " + call.name() + " for " + kinds(arguments)
                            + signatures(object.getClass(), call.name()));
        }
        call(
                call.where(),
                name(method),
                () -> method.invoke(object, ArgumentConversion.fit(method.getParameterTypes(), arguments)));
    }

    private static Method method(Class<?> type, String name, List<Object> arguments, boolean isStatic) {
        List<Method> candidates = Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name) && !each.isBridge())
                .filter(each -> !isStatic || Modifier.isStatic(each.getModifiers()))
                .toList();
        Method found = ArgumentConversion.nearest(candidates, Method::getParameterTypes, arguments)
                .orElse(null);
        if (found != null) {
            open(found);
        }
        return found;
    }

    /** Makes a public member of a non-public class accessible. If that is not allowed, the later call fails with a message. */
    private static void open(AccessibleObject member) {
        member.trySetAccessible();
    }

    List<Object> resolve(List<ArgumentSpec> values) {
        return values.stream().map(this::resolve).collect(Collectors.toCollection(ArrayList::new));
    }

    private Object resolve(ArgumentSpec value) {
        return switch (value.kind()) {
            case PLAIN -> value.plain();
            case REFERENCE -> component(value.where(), value.references().get(0));
            case REFERENCES ->
                value.references().stream()
                        .map(id -> component(value.where(), id))
                        .collect(Collectors.toCollection(ArrayList::new));
        };
    }

    private Object component(Position where, String id) {
        Object component = components.get(id);
        if (component == null) {
            throw error(
                    where,
                    "there is no component '" + id + "' above this line" + Spelling.instead(id, components.keySet()));
        }
        return component;
    }

    /** An action that runs user code and may throw. */
    interface Action<T> {
        T run() throws ReflectiveOperationException;
    }

    static <T> T call(Position where, String subject, Action<T> action) {
        try {
            return action.run();
        } catch (InvocationTargetException e) {
            throw new ProgramInputException(where + ": " + subject + " failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new ProgramInputException(where + ": " + subject + " cannot be called: " + e, e);
        }
    }

    private static ProgramInputException error(Position where, String message) {
        return new ProgramInputException(where + ": " + message);
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static String kinds(List<Object> arguments) {
        return arguments.stream().map(ObjectFactory::kind).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String kind(Object value) {
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }

    private static String signatures(Class<?> type) {
        return signatures(constructors(type));
    }

    private static String signatures(Class<?> type, String method) {
        return signatures(Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(method))
                .toList());
    }

    private static String signatures(List<? extends Executable> candidates) {
        if (candidates.isEmpty()) {
            return "";
        }
        return candidates.stream()
                .map(each -> Arrays.stream(each.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")")))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" or ", "; there is ", ""));
    }
}
