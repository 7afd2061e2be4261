package org.apache.storm.testing;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.Testing;

/** How {@link Testing#completeTopology(org.apache.storm.ILocalCluster, org.apache.storm.generated.StormTopology, CompleteTopologyParam)} runs a topology. Not safe to use from several threads. */
public class CompleteTopologyParam {
    private MockedSources mockedSources = new MockedSources();
    private Map<String, Object> stormConf = new Config();
    private boolean cleanupState = true;
    private String topologyName;
    private int timeoutMs = Testing.TEST_TIMEOUT_MS;

    /** Creates the defaults: no mocked source, an empty configuration, any name. */
    public CompleteTopologyParam() {}

    /** {@return what spouts are replaced by} */
    public MockedSources getMockedSources() {
        return mockedSources;
    }

    /**
     * Replaces spouts by given tuples.
     *
     * @param sources tuples by spout; null for none
     */
    public void setMockedSources(MockedSources sources) {
        mockedSources = sources == null ? new MockedSources() : sources;
    }

    /** {@return the topology's configuration} */
    public Map<String, Object> getStormConf() {
        return stormConf;
    }

    /**
     * Sets the topology's configuration.
     *
     * @param conf the configuration; null for an empty one
     */
    public void setStormConf(Map<String, Object> conf) {
        stormConf = conf == null ? new Config() : conf;
    }

    /** {@return whether what spouts and the capturer keep is forgotten afterwards} */
    public boolean getCleanupState() {
        return cleanupState;
    }

    /**
     * Sets whether what spouts and the capturer keep is forgotten afterwards.
     *
     * @param cleanup null for yes
     */
    public void setCleanupState(Boolean cleanup) {
        cleanupState = cleanup == null || cleanup;
    }

    /** {@return the topology's name, or null for any} */
    public String getTopologyName() {
        return topologyName;
    }

    /**
     * Sets the topology's name.
     *
     * @param name the name; null for any
     */
    public void setTopologyName(String name) {
        topologyName = name;
    }

    /** {@return how long it may take, milliseconds} */
    public Integer getTimeoutMs() {
        return timeoutMs;
    }

    /**
     * Sets how long it may take.
     *
     * @param timeout milliseconds; null for {@link Testing#TEST_TIMEOUT_MS}
     */
    public void setTimeoutMs(Integer timeout) {
        timeoutMs = timeout == null ? Testing.TEST_TIMEOUT_MS : timeout;
    }
}
