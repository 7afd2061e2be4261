package io.updraft.storm;

import io.updraft.engine.TopologyEngine;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/**
 * An engine whose components run in other processes. What is switched while a topology runs is told to those. Each call tells
 * the whole state, which holds for processes that are started later too.
 *
 * <p>All methods may be called from any thread.
 */
public interface RemoteEngine extends TopologyEngine {

    /**
     * Switches what components send to the event logger. Returns when the processes have done so, or a little later if one of
     * them does not answer.
     *
     * @param options what was said of debugging, by component, or by the topology's id
     */
    void setDebug(Map<String, DebugOptions> options);

    /**
     * Changes the levels of loggers. Returns when the processes have done so, or a little later if one of them does not answer.
     *
     * @param levels all that the topology has asked for
     */
    void setLogLevels(LogConfig levels);
}
