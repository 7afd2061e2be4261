package io.updraft.flux;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Converts YAML values to the parameters of constructors and methods, by Flux's rules: numbers to any numeric type, text to
 * enum constants, lists to arrays.
 *
 * <p>Where several constructors or methods fit, Flux takes the one that the JVM lists last. Here the nearest one is taken: the
 * one whose worst parameter needs the least conversion.
 */
final class ArgumentConversion {
    /** Distances of a value from a type, the nearest first. */
    private static final int SAME = 0;

    private static final int UNBOXED = 1;
    private static final int ASSIGNABLE = 2;
    private static final int SAME_KIND_OF_NUMBER = 3;
    private static final int OTHER_NUMBER = 4;
    private static final int CONVERTED = 5;
    private static final int NEVER = Integer.MAX_VALUE;

    private static final Map<Class<?>, Function<Number, Object>> NUMBERS = Map.of(
            Byte.class, Number::byteValue,
            Short.class, Number::shortValue,
            Integer.class, Number::intValue,
            Long.class, Number::longValue,
            Float.class, Number::floatValue,
            Double.class, Number::doubleValue);

    private ArgumentConversion() {}

    /** Finds the nearest constructor or method for some arguments; empty if none accepts them. */
    static <T> Optional<T> nearest(List<T> candidates, Function<T, Class<?>[]> parameters, List<Object> arguments) {
        return candidates.stream()
                .filter(candidate -> distance(parameters.apply(candidate), arguments) < NEVER)
                .min(Comparator.<T>comparingInt(candidate -> distance(parameters.apply(candidate), arguments))
                        .thenComparing(candidate -> Arrays.toString(parameters.apply(candidate))));
    }

    static Object[] fit(Class<?>[] parameters, List<Object> arguments) {
        Object[] fitted = new Object[parameters.length];
        for (int i = 0; i < fitted.length; i++) {
            fitted[i] = fit(parameters[i], arguments.get(i));
        }
        return fitted;
    }

    static boolean fits(Class<?> type, Object value) {
        return distance(type, value) < NEVER;
    }

    private static int distance(Class<?>[] parameters, List<Object> arguments) {
        if (parameters.length != arguments.size()) {
            return NEVER;
        }
        int worst = 0;
        int sum = 0;
        for (int i = 0; i < parameters.length; i++) {
            int distance = distance(parameters[i], arguments.get(i));
            if (distance == NEVER) {
                return NEVER;
            }
            worst = Math.max(worst, distance);
            sum += distance;
        }
        return worst * 1_000 + sum;
    }

    private static int distance(Class<?> type, Object value) {
        if (value == null) {
            return type.isPrimitive() ? NEVER : ASSIGNABLE;
        }
        Class<?> boxed = boxed(type);
        if (boxed == value.getClass()) {
            return boxed == type ? SAME : UNBOXED;
        }
        if (boxed.isInstance(value)) {
            return ASSIGNABLE;
        }
        if (value instanceof Number number && NUMBERS.containsKey(boxed)) {
            return isWhole(boxed) == isWhole(number.getClass()) ? SAME_KIND_OF_NUMBER : OTHER_NUMBER;
        }
        return isConvertible(boxed, value) ? CONVERTED : NEVER;
    }

    private static boolean isConvertible(Class<?> boxed, Object value) {
        if (value instanceof String text) {
            return boxed.isEnum() && constant(boxed, text) != null || boxed == Character.class && text.length() == 1;
        }
        return value instanceof List<?> list
                && boxed.isArray()
                && list.stream().allMatch(each -> fits(boxed.getComponentType(), each));
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private static boolean isWhole(Class<?> number) {
        return number != Double.class && number != Float.class;
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElse(null);
    }

    static Object fit(Class<?> type, Object value) {
        Class<?> boxed = boxed(type);
        if (value == null || boxed.isInstance(value)) {
            return value;
        }
        if (value instanceof Number number) {
            return NUMBERS.get(boxed).apply(number);
        }
        if (value instanceof String text) {
            return boxed == Character.class ? (Object) text.charAt(0) : constant(boxed, text);
        }
        List<?> list = (List<?>) value;
        Object array = Array.newInstance(type.getComponentType(), list.size());
        for (int i = 0; i < list.size(); i++) {
            Array.set(array, i, fit(type.getComponentType(), list.get(i)));
        }
        return array;
    }
}
