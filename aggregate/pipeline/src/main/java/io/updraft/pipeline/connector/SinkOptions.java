package io.updraft.pipeline.connector;

/** The options of a sink. Each kind of sink has its own record, whose constructor checks the values. */
public interface SinkOptions {

    /** Returns a new sink with these options. It connects to nothing before {@link ResultSink#open}. */
    ResultSink sink();

    /** Returns whether the sink stores positions together with results. */
    default boolean keepsPositions() {
        return false;
    }
}
