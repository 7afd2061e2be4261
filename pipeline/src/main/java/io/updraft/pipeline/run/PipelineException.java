package io.updraft.pipeline.run;

/** A pipeline cannot be started. The message is one line that says what is wrong and where. */
public final class PipelineException extends Exception {

    private static final long serialVersionUID = 1;

    /** Says what is wrong, and where, in one line; the cause, which may be null, is for those who want the stack. */
    public PipelineException(String message, Throwable cause) {
        super(message, cause);
    }
}
