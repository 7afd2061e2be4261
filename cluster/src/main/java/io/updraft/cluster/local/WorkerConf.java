package io.updraft.cluster.local;

import io.updraft.base.conf.ConfReader;
import io.updraft.cluster.link.LinkOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.InvalidTopology;
import java.util.Map;
import org.apache.storm.Config;

/** Reads the options about workers from the configuration. */
public final class WorkerConf {
    /** The most workers on one host; a larger number is taken for a mistake. */
    public static final int MAX_WORKERS = 256;

    /** How long a worker may take to become ready, in seconds; Storm's name and default. */
    static final String START_TIMEOUT = "supervisor.worker.start.timeout.secs";

    private static final int START_SECONDS = 120;

    private WorkerConf() {}

    static int startSeconds(Map<String, Object> conf) {
        return new ConfReader(conf).integer(START_TIMEOUT, START_SECONDS, 1, Integer.MAX_VALUE);
    }

    /** Checks the options about workers and their link, before any worker is started. */
    static void check(Map<String, Object> conf) {
        try {
            LinkOptions.check(conf);
            startSeconds(conf);
        } catch (IllegalArgumentException e) {
            throw new InvalidTopology(e.getMessage(), e);
        }
    }

    static int workers(Map<String, Object> conf) {
        int workers = EngineSettings.workers(conf);
        if (workers > MAX_WORKERS) {
            throw new InvalidTopology(Config.TOPOLOGY_WORKERS + " is " + workers + ": it must be at most " + MAX_WORKERS
                    + " on one host");
        }
        return workers;
    }
}
