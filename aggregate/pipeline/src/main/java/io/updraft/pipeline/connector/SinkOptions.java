package io.updraft.pipeline.connector;

/** The options of a sink. Each kind of sink has its own record, whose constructor checks the values. */
public interface SinkOptions {

    /** Returns a new sink with these options. It connects to nothing before {@link ResultSink#open}. */
    ResultSink sink();

    /** Returns whether the sink stores positions together with results. */
    default boolean keepsPositions() {
        return false;
    }

    /**
     * Returns why results would replace one another if windows may have the same start or the same end; null if they do not.
     *
     * @param grouped whether the dimensions tell windows with the same start, or the same end, apart
     */
    default String ambiguity(boolean grouped) {
        return null;
    }
}
