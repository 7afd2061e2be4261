package io.updraft.bench.aggregate;

import java.util.Map;
import java.util.function.Consumer;

/**
 * A system that aggregates. Its class has a constructor without parameters. The JVM ends after the run, so a peer releases no
 * resources.
 */
interface MeasuredPeer {

    String title();

    /** {@return the settings that differ from the system's defaults, for the report} */
    Map<String, String> settings(PeerJob job);

    /**
     * Starts the job and returns when the job runs.
     *
     * @param failed receives the error, on any thread, when the job fails
     * @throws Exception when the job cannot start
     */
    void start(PeerJob job, Consumer<Throwable> failed) throws Exception;
}
