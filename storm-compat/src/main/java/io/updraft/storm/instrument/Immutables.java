package io.updraft.storm.instrument;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.UUID;

/** Knows values that cannot change. */
final class Immutables {

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

    private Immutables() {}

    /** Whether a value is of a kind that every serializer knows and nobody can change. */
    static boolean isKnown(Object value) {
        return value == null || KNOWN.contains(value.getClass());
    }

    /** Whether nobody can change a value, as far as its class tells. */
    static boolean isImmutable(Object value) {
        return isKnown(value)
                || value instanceof Enum<?>
                || OTHERS.contains(value.getClass())
                || value.getClass().getPackageName().equals("java.time");
    }
}
