package org.apache.storm.testing;

import io.updraft.local.TestWait;
import java.util.Map;
import org.apache.storm.Config;

/**
 * Parameters of {@link org.apache.storm.Testing#completeTopology(org.apache.storm.ILocalCluster, org.apache.storm.generated.StormTopology,
 * CompleteTopologyParam)}. Not safe for use by several threads.
 */
public class CompleteTopologyParam {
    private MockedSources mockedSources = new MockedSources();
    private Map<String, Object> stormConf = new Config();
    private boolean cleanupState = true;
    private String topologyName;
    private int timeoutMs = TestWait.TIMEOUT_MS;

    /** Creates the defaults: no mocked sources, an empty configuration, a random name. */
    public CompleteTopologyParam() {}

    /** {@return the tuples that replace spouts} */
    public MockedSources getMockedSources() {
        return mockedSources;
    }

    /**
     * Replaces spouts by the given tuples.
     *
     * @param sources the tuples by spout; null for none
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

    /** {@return whether the tuples that spouts and the capturing bolt keep are removed afterwards} */
    public boolean getCleanupState() {
        return cleanupState;
    }

    /**
     * Sets whether the tuples that spouts and the capturing bolt keep are removed afterwards.
     *
     * @param cleanup whether to remove them; null for yes
     */
    public void setCleanupState(Boolean cleanup) {
        cleanupState = cleanup == null || cleanup;
    }

    /** {@return the topology's name, or null for a random one} */
    public String getTopologyName() {
        return topologyName;
    }

    /**
     * Sets the topology's name.
     *
     * @param name the name; null for a random one
     */
    public void setTopologyName(String name) {
        topologyName = name;
    }

    /** {@return the maximum time of the run, in milliseconds} */
    public Integer getTimeoutMs() {
        return timeoutMs;
    }

    /**
     * Sets the maximum time of the run.
     *
     * @param timeout the time in milliseconds; null for {@link org.apache.storm.Testing#TEST_TIMEOUT_MS}
     */
    public void setTimeoutMs(Integer timeout) {
        timeoutMs = timeout == null ? TestWait.TIMEOUT_MS : timeout;
    }
}
