package io.updraft.storm.instrument;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.UUID;

/** Recognizes immutable values. */
final class ImmutableTypes {

    private static final Set<Class<?>> KNOWN = Set.of(
            String.class,
            Integer.class,
            Long.class,
            Double.class,
            Float.class,
            Boolean.class,
            Short.class,
            Byte.class,
            Character.class);

    private static final Set<Class<?>> OTHERS = Set.of(BigInteger.class, BigDecimal.class, UUID.class, Class.class);

    private ImmutableTypes() {}

    /** Returns whether a value is null or of a type that is immutable and that every serializer supports. */
    static boolean isKnown(Object value) {
        return value == null || KNOWN.contains(value.getClass());
    }

    /** Returns whether a value is immutable, as far as its class shows. */
    static boolean isImmutable(Object value) {
        return isKnown(value)
                || value instanceof Enum<?>
                || OTHERS.contains(value.getClass())
                || value.getClass().getPackageName().equals("java.time");
    }
}
