package io.updraft.microbench.json;

import static java.lang.invoke.MethodType.methodType;

import io.updraft.timeseries.record.RecordRow;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Iterator;
import java.util.Map;

/**
 * simdjson-java's tree, walked member by member. The library's classes need JDK 24 and {@code --add-modules
 * jdk.incubator.vector}, and javac of JDK 17 cannot read them. They are called with constant method handles, which cost nothing
 * once compiled.
 */
final class SimdJsonParser implements JsonParser {

    private static final Class<?> PARSER = type("org.simdjson.SimdJsonParser");
    private static final Class<?> VALUE = type("org.simdjson.JsonValue");
    private static final MethodHandle PARSE = handle(
            PARSER,
            "parse",
            methodType(VALUE, byte[].class, int.class),
            methodType(Object.class, Object.class, byte[].class, int.class));
    private static final MethodHandle MEMBERS =
            handle(VALUE, "objectIterator", methodType(Iterator.class), methodType(Iterator.class, Object.class));
    private static final MethodHandle TEXT =
            handle(VALUE, "asString", methodType(String.class), methodType(String.class, Object.class));
    private static final MethodHandle WHOLE =
            handle(VALUE, "asLong", methodType(long.class), methodType(long.class, Object.class));
    private static final MethodHandle REAL =
            handle(VALUE, "asDouble", methodType(double.class), methodType(double.class, Object.class));

    private final Object parser;
    private final Wanted root;

    SimdJsonParser(Wanted root) {
        this.root = root;
        try {
            this.parser = PARSER.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalStateException("simdjson-java needs JDK 24 and --add-modules jdk.incubator.vector", e);
        }
    }

    private static MethodHandle handle(Class<?> of, String name, MethodType type, MethodType as) {
        try {
            return MethodHandles.publicLookup().findVirtual(of, name, type).asType(as);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void parse(byte[] text, RecordRow row) {
        try {
            object((Object) PARSE.invokeExact(parser, text, text.length), root, row);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void object(Object value, Wanted wanted, RecordRow row) throws Throwable {
        Iterator<?> members = (Iterator<?>) MEMBERS.invokeExact(value);
        while (members.hasNext()) {
            Map.Entry<?, ?> member = (Map.Entry<?, ?>) members.next();
            Wanted found = wanted.members.get((String) member.getKey());
            Object inner = member.getValue();
            if (found == null) {
                continue;
            }
            if (found.type == null) {
                object(inner, found, row);
            } else {
                put(inner, found, row);
            }
        }
    }

    private static void put(Object value, Wanted wanted, RecordRow row) throws Throwable {
        switch (wanted.type) {
            case TEXT -> row.setText(wanted.slot, (String) TEXT.invokeExact(value));
            case LONG -> row.setLong(wanted.slot, (long) WHOLE.invokeExact(value));
            default -> row.setDouble(wanted.slot, (double) REAL.invokeExact(value));
        }
    }
}
