package io.updraft.cluster.local;

import io.updraft.cluster.link.LinkOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Settings;
import io.updraft.transport.ConfReader;
import java.util.Map;
import org.apache.storm.Config;

/** What the configuration says about workers. */
public final class WorkerConf {
    /** The most workers on one host: more are taken for a slip of the pen. */
    public static final int MOST_WORKERS = 256;

    /** How long a worker may take until it is ready, in seconds; Storm's name and default. */
    static final String START_TIMEOUT = "supervisor.worker.start.timeout.secs";

    private static final int START_SECONDS = 120;

    private WorkerConf() {}

    /**
     * Reads how long a worker may take until it is ready.
     *
     * @param conf the whole configuration
     * @return seconds
     * @throws IllegalArgumentException when it makes no sense
     */
    static int startSeconds(Map<String, Object> conf) {
        return new ConfReader(conf).integer(START_TIMEOUT, START_SECONDS, 1, Integer.MAX_VALUE);
    }

    /**
     * Checks what the configuration says about workers and what joins them, before any is started.
     *
     * @param conf the whole configuration
     * @throws InvalidTopology when a value makes no sense
     */
    static void check(Map<String, Object> conf) {
        try {
            LinkOptions.check(conf);
            startSeconds(conf);
        } catch (IllegalArgumentException e) {
            throw new InvalidTopology(e.getMessage(), e);
        }
    }

    /**
     * Reads the number of workers.
     *
     * @param conf the whole configuration
     * @throws InvalidTopology when it makes no sense
     */
    static int workers(Map<String, Object> conf) {
        int workers = Settings.workers(conf);
        if (workers > MOST_WORKERS) {
            throw new InvalidTopology(Config.TOPOLOGY_WORKERS + " is " + workers + ": it must be at most "
                    + MOST_WORKERS + " on one host");
        }
        return workers;
    }
}
