package io.updraft.cluster.codec;

/**
 * A frame that no {@link BatchEncoder} of this version and plan has written. Nothing of it was delivered; what follows on its
 * connection cannot be understood either, so the connection should be closed.
 */
public final class CodecException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int offset;
    private final String reason;

    /**
     * Says what is wrong with a frame.
     *
     * @param offset where in the frame, bytes from its start
     * @param reason what is wrong there
     */
    public CodecException(int offset, String reason) {
        super("malformed frame, at byte " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /** {@return where in the frame, bytes from its start} */
    public int offset() {
        return offset;
    }

    /** {@return what is wrong there} */
    public String reason() {
        return reason;
    }
}
