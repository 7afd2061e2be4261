package io.updraft.base.json;

import java.lang.reflect.Method;
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
    private JsonRecords() {}

    static JsonObject members(Record record) {
        JsonObject members = new JsonObject();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
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
            Method accessor = component.getAccessor();
            accessor.setAccessible(true); // for records of other packages
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new JsonException("cannot read " + component.getName() + " of " + record.getClass(), e);
        }
    }

    static <T extends Record> T create(Map<String, Object> members, Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            values[i] = typed(name, members.get(name), components[i].getGenericType());
        }
        try {
            var constructor = type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true); // for records of other packages
            return constructor.newInstance(values);
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
