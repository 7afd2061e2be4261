package io.updraft.cluster.codec;

/**
 * Thrown for a frame that no {@link BatchEncoder} of this version and plan has written. Nothing of the frame was delivered.
 * Later frames of the connection cannot be decoded either, so the connection should be closed.
 */
public final class CodecException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param offset the position of the error in the frame, bytes from its start
     * @param reason the description of the error
     */
    public CodecException(int offset, String reason) {
        super("malformed frame, at byte " + offset + ": " + reason);
    }
}
