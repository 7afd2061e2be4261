package io.updraft.pipeline.run;

/** Thrown when a pipeline cannot be started. The message is one line that names the cause and the place. */
public final class PipelineException extends Exception {

    private static final long serialVersionUID = 1;

    /** Creates an exception. The message names the cause and the place in one line; the cause may be null. */
    public PipelineException(String message, Throwable cause) {
        super(message, cause);
    }
}
