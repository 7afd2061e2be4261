package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.observe.process.HeapHolder;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.thrift.TBase;
import org.apache.storm.utils.Utils;

/**
 * Writes and reads records, component by component. Numbers are big-endian; a text, a list, a map or an array follows its
 * length. The declared types alone say what is read: received bytes cannot choose a class. A length is checked against the
 * remaining bytes before anything is allocated.
 */
final class RecordCodec {
    private static final int MAX_DEPTH = 32;

    /** The types whose values may be null. A byte before the value says whether there is one. */
    private static final Set<Type> NULLABLE =
            Set.of(String.class, Endpoints.class, FailureRecord.class, HeapHolder.class);

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordCodec() {}

    private record Shape(Constructor<?> constructor, RecordComponent[] components) {
        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            try {
                return new Shape(type.getDeclaredConstructor(types), components);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void write(DataOutput out, Type type, Object value) throws IOException {
        if (NULLABLE.contains(type)) {
            out.writeBoolean(value != null);
            if (value == null) {
                return;
            }
        }
        if (type == Throwable.class) {
            write(out, FailureRecord.class, FailureRecord.of((Throwable) value));
        } else if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof String text) {
            writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] bytes) {
            writeBytes(out, bytes);
        } else if (value instanceof TBase<?, ?> thrift) {
            writeBytes(out, Utils.thriftSerialize(thrift));
        } else if (value instanceof long[] numbers) {
            out.writeInt(numbers.length);
            for (long number : numbers) {
                out.writeLong(number);
            }
        } else if (value instanceof List<?> items) {
            out.writeInt(items.size());
            for (Object item : items) {
                write(out, argument(type, 0), item);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.writeInt(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(out, argument(type, 0), entry.getKey());
                write(out, argument(type, 1), entry.getValue());
            }
        } else {
            writeRecord(out, value);
        }
    }

    private static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void writeRecord(DataOutput out, Object value) throws IOException {
        try {
            for (RecordComponent each : SHAPES.get(value.getClass()).components) {
                write(out, each.getGenericType(), each.getAccessor().invoke(value));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object read(ByteBuffer in, Type type) throws IOException {
        return read(in, type, 0);
    }

    private static Object read(ByteBuffer in, Type type, int depth) throws IOException {
        if (NULLABLE.contains(type) && in.get() == 0) {
            return null;
        } else if (type == Throwable.class) {
            FailureRecord failure = (FailureRecord) read(in, FailureRecord.class, depth);
            return failure == null ? null : failure.toFailure();
        } else if (type == int.class || type == Integer.class) {
            return in.getInt();
        } else if (type == long.class || type == Long.class) {
            return in.getLong();
        } else if (type == boolean.class) {
            return in.get() != 0;
        } else if (type == String.class) {
            return new String(readBytes(in), StandardCharsets.UTF_8);
        } else if (type == byte[].class) {
            return readBytes(in);
        } else if (type == long[].class) {
            return readNumbers(in);
        } else if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class ? readList(in, type, depth) : readMap(in, type, depth);
        }
        Class<?> component = (Class<?>) type;
        return component.isRecord() ? readRecord(in, component, depth) : readThrift(component, readBytes(in));
    }

    private static byte[] readBytes(ByteBuffer in) throws IOException {
        byte[] bytes = new byte[readLength(in, 1)];
        in.get(bytes);
        return bytes;
    }

    private static long[] readNumbers(ByteBuffer in) throws IOException {
        long[] numbers = new long[readLength(in, Long.BYTES)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.getLong();
        }
        return numbers;
    }

    private static List<Object> readList(ByteBuffer in, Type type, int depth) throws IOException {
        List<Object> items = new ArrayList<>();
        for (int left = readLength(in, 1); left > 0; left--) {
            items.add(read(in, argument(type, 0), depth));
        }
        return items;
    }

    private static Map<Object, Object> readMap(ByteBuffer in, Type type, int depth) throws IOException {
        Map<Object, Object> map = new HashMap<>();
        for (int left = readLength(in, 1); left > 0; left--) {
            map.put(read(in, argument(type, 0), depth), read(in, argument(type, 1), depth));
        }
        return map;
    }

    private static int readLength(ByteBuffer in, int leastBytes) throws IOException {
        int length = in.getInt();
        if (length < 0 || length > in.remaining() / leastBytes) {
            throw new IOException("a control message announces a length of " + length + ", but only " + in.remaining()
                    + " bytes are left");
        }
        return length;
    }

    private static Object readThrift(Class<?> type, byte[] bytes) throws IOException {
        try {
            return Utils.thriftDeserialize(type, bytes);
        } catch (RuntimeException e) {
            throw invalid(type, e);
        }
    }

    private static Object readRecord(ByteBuffer in, Class<?> type, int depth) throws IOException {
        if (depth == MAX_DEPTH) {
            throw new IOException("a control message is nested more than " + MAX_DEPTH + " levels deep");
        }
        Shape shape = SHAPES.get(type);
        Object[] values = new Object[shape.components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(in, shape.components[i].getGenericType(), depth + 1);
        }
        try {
            return shape.constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw invalid(type, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IOException invalid(Class<?> type, Throwable cause) {
        return new IOException(
                "a control message has an invalid " + type.getSimpleName() + ": " + cause.getMessage(), cause);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
