package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.LogLevels;
import io.updraft.storm.TopologyContexts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.LogConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does in a worker what is switched while the topology runs. Called by the thread that obeys the coordinator. */
final class LiveSwitches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSwitches.class);

    /** A task that is being rebuilt never says that it has heard. */
    private static final long PATIENCE_SECONDS = 2;

    private final Plan plan;
    private final TopologyContexts contexts;
    private final LogLevels logLevels = new LogLevels();
    private LogConfig levels = new LogConfig();
    private CompletableFuture<Void> switched = CompletableFuture.completedFuture(null);

    LiveSwitches(Plan plan, TopologyContexts contexts) {
        this.plan = plan;
        this.contexts = contexts;
    }

    void set(Switches wanted) {
        if (!wanted.levels().equals(levels)) {
            levels = wanted.levels();
            try {
                logLevels.apply(levels);
            } catch (UnsupportedOperationException e) {
                LOG.warn("the log levels of this worker stay as they are", e);
            }
        }
        switched = contexts.debug(plan, wanted.debug());
    }

    /** {@return completes when what was set holds for all tasks that can hear of it} */
    CompletableFuture<Void> done() {
        return switched.copy().completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        logLevels.close();
    }
}
