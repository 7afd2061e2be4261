package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Commit;
import java.util.Map;

/** A sink that may keep positions together with results, and tells at the start what it has kept. */
public interface CommittingSink extends Sink {

    /** Whether it was told to keep positions. */
    boolean keepsCommits();

    /**
     * The last commit of each unit that was flushed with the results, by unit; to be read after {@link #open}, before the source is
     * opened. Empty on a new start, and if the sink was told not to keep them.
     *
     * @throws SinkException when they cannot be read
     */
    Map<String, Commit> readCommits() throws SinkException;
}
