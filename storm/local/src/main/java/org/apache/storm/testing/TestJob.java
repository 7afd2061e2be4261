package org.apache.storm.testing;

import org.apache.storm.ILocalCluster;

/** A test that uses a cluster. */
@FunctionalInterface
public interface TestJob {

    /**
     * Runs the test.
     *
     * @param cluster the cluster, which is closed afterwards
     * @throws Exception when the test fails
     */
    void run(ILocalCluster cluster) throws Exception;
}
