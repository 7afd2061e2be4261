package io.updraft.storm.instrument;

/** A value was changed after its emit ({@code updraft.check.mutation}). The exception is reported, not thrown. */
final class MutatedValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MutatedValueException(String message) {
        super(message);
    }
}
