package io.updraft.cluster.local;

import io.updraft.cluster.link.LinkOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Settings;
import io.updraft.transport.TransportNames;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/** What the configuration says about workers. */
public final class WorkerConf {
    /** The transport between workers of one host, by its name. */
    public static final String LOCAL_TRANSPORT = TransportNames.LOCAL;

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
     */
    static int startSeconds(Map<String, Object> conf) {
        return ObjectReader.getInt(conf.get(START_TIMEOUT), START_SECONDS);
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
