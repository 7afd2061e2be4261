package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.YamlMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A section of a description that is being read: the values of its keys, from which its record is made. */
final class Section<R extends Record> {

    private final YamlMap map;
    private final Class<R> type;
    private final Map<String, Object> values = new HashMap<>();

    Section(YamlMap map, Class<R> type) {
        this.map = map;
        this.type = type;
        KeyTable.of(type).forEach(key -> values.put(key.field(), key.read(map)));
    }

    /** Returns the value that was read for a component. */
    @SuppressWarnings("unchecked")
    <T> T get(String component) {
        return (T) values.get(component);
    }

    /** Sets the value of a component that no key states. */
    Section<R> with(String component, Object value) {
        values.put(component, value);
        return this;
    }

    /** Sets a default that depends on the rest of the description. */
    Section<R> otherwise(String component, Object value) {
        SectionKey key = KeyTable.of(type).stream()
                .filter(each -> each.field().equals(component))
                .findFirst()
                .orElseThrow();
        if (!map.has(key.name()) || values.get(component) == null) {
            values.put(component, value);
        }
        return this;
    }

    /**
     * Makes the record, and reports the keys of the description that the section does not have. Returns null if a required key
     * is missing.
     */
    R recordOrNull() {
        boolean complete = KeyTable.of(type).stream()
                .allMatch(key -> !key.required() || map.has(key.name()) && !"".equals(values.get(key.field())));
        if (complete) {
            return record();
        }
        map.end();
        return null;
    }

    /** Makes the record as far as it is described, and reports the keys of the description that the section does not have. */
    R record() {
        map.end();
        RecordComponent[] components = type.getRecordComponents();
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(Arrays.stream(components).map(this::value).toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException flaw) {
                throw flaw;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object value(RecordComponent component) {
        Object value = values.get(component.getName());
        return component.getType() == int.class && value instanceof Long number ? (Object) number.intValue() : value;
    }
}
