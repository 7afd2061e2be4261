package io.updraft.storm.instrument;

/** An emitted value cannot be sent to another worker unchanged ({@code updraft.check.serialization}). */
final class UnserializableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnserializableValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
