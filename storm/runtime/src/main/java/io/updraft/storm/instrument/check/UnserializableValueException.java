package io.updraft.storm.instrument.check;

/** An emitted value cannot be sent to another worker unchanged ({@code updraft.check.serialization}). */
public final class UnserializableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnserializableValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
