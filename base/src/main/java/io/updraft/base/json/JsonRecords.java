package io.updraft.base.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Records as maps of their components, and back. */
final class JsonRecords {
    /** Kept, since the JVM makes the components of a record anew for each question. */
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private JsonRecords() {}

    private record Shape(Constructor<?> constructor, RecordComponent[] components) {
        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(
                        Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                // For records of other packages.
                constructor.setAccessible(true);
                Stream.of(components).forEach(each -> each.getAccessor().setAccessible(true));
                return new Shape(constructor, components);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static JsonObject members(Record record) {
        JsonObject members = new JsonObject();
        for (RecordComponent component : SHAPES.get(record.getClass()).components) {
            Object value = value(record, component);
            if (!component.isAnnotationPresent(Inlined.class)) {
                members.put(component.getName(), value);
            } else if (value != null) {
                members.putAll(members((Record) value));
            }
        }
        return members;
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new JsonException("cannot read " + component.getName() + " of " + record.getClass(), e);
        }
    }

    static <T extends Record> T create(Map<String, Object> members, Class<T> type) {
        Shape shape = SHAPES.get(type);
        Object[] values = new Object[shape.components.length];
        for (int i = 0; i < values.length; i++) {
            String name = shape.components[i].getName();
            values[i] = typed(name, members.get(name), shape.components[i].getGenericType());
        }
        try {
            return type.cast(shape.constructor.newInstance(values));
        } catch (ReflectiveOperationException e) {
            throw new JsonException("no " + type.getSimpleName() + " can have these members: " + members, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Object typed(String name, Object value, Type type) {
        Class<?> raw = type instanceof ParameterizedType parameterized
                ? (Class<?>) parameterized.getRawType()
                : type instanceof Class<?> plain ? plain : Object.class;
        try {
            if (raw == Optional.class) {
                return Optional.ofNullable(value).map(present -> typed(name, present, argument(type, 0)));
            } else if (value == null) {
                return absent(name, raw);
            } else if (raw == List.class) {
                return ((List<Object>) value)
                        .stream()
                                .map(item -> typed(name, item, argument(type, 0)))
                                .toList();
            } else if (raw == Map.class) {
                Map<String, Object> typed = new LinkedHashMap<>();
                ((Map<String, Object>) value)
                        .forEach((key, item) -> typed.put(key, typed(name, item, argument(type, 1))));
                return typed;
            }
            return scalar(value, raw);
        } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
            throw e instanceof JsonException cause ? cause : new JsonException("'" + name + "' is '" + value + "'", e);
        }
    }

    private static Object absent(String name, Class<?> type) {
        if (type.isPrimitive()) {
            throw new JsonException("'" + name + "' is missing");
        }
        return null;
    }

    private static Type argument(Type type, int index) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[index]
                : Object.class;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object scalar(Object value, Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return Math.toIntExact((Long) value);
        } else if (type == double.class || type == Double.class) {
            return ((Number) value).doubleValue();
        } else if (type.isRecord()) {
            return create((Map<String, Object>) value, type.asSubclass(Record.class));
        } else if (type.isEnum()) {
            return Enum.valueOf((Class<? extends Enum>) type, (String) value);
        }
        return type.isPrimitive() ? value : type.cast(value);
    }
}
