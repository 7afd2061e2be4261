package org.apache.storm.testing;

import org.apache.storm.ILocalCluster;

/** What a test does with a cluster. */
@FunctionalInterface
public interface TestJob {

    /**
     * Does it.
     *
     * @param cluster a cluster that is closed afterwards
     * @throws Exception whatever the test throws
     */
    void run(ILocalCluster cluster) throws Exception;
}
