package io.updraft.cluster.worker;

import io.updraft.engine.plan.Plan;
import io.updraft.storm.LogLevels;
import io.updraft.storm.context.TopologyContexts;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies in a worker the settings that can change while the topology runs. Called by one thread. */
public final class LiveSettings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

    /** Longest wait for tasks to apply a setting. A task that is being restarted does not report it. */
    private static final long TIMEOUT_SECONDS = 2;

    private final Plan plan;
    private final TopologyContexts contexts;
    private final LogLevels logLevels = new LogLevels();
    private LogConfig levels = new LogConfig();
    private CompletableFuture<Void> switched = CompletableFuture.completedFuture(null);

    LiveSettings(Plan plan, TopologyContexts contexts) {
        this.plan = plan;
        this.contexts = contexts;
    }

    /**
     * Applies the settings.
     *
     * @param wantedLevels all log levels that are set
     * @param debug the sampling for the event logger, by component, or by the topology's id
     */
    public void set(LogConfig wantedLevels, Map<String, DebugOptions> debug) {
        if (!wantedLevels.equals(levels)) {
            levels = wantedLevels;
            try {
                logLevels.apply(levels);
            } catch (UnsupportedOperationException e) {
                LOG.warn("cannot change the log levels of this worker", e);
            }
        }
        switched = contexts.debug(plan, debug);
    }

    /**
     * {@return a future that completes when the settings are in effect for all tasks that can apply them, after two seconds at
     * most}
     */
    public CompletableFuture<Void> applied() {
        return switched.copy().completeOnTimeout(null, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        logLevels.close();
    }
}
