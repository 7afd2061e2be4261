package io.updraft.storm.instrument;

/** A value was emitted that would not survive the way to another worker ({@code updraft.check.serialization}). */
public final class UnserializableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnserializableValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
