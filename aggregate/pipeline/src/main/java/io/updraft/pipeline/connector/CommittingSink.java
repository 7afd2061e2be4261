package io.updraft.pipeline.connector;

import java.util.Map;

/** A sink that can store positions together with results, and returns them at the start of a run. */
public interface CommittingSink extends ResultSink {

    /** Returns whether this sink stores positions. */
    boolean keepsCommits();

    /**
     * Returns the last commit of each unit that was flushed with the results, by unit. Called after {@link #open}, before the
     * source is opened. Empty for a new pipeline, and if this sink stores no positions.
     *
     * @throws SinkException when the positions cannot be read
     */
    Map<String, UnitPosition> readCommits() throws SinkException;
}
