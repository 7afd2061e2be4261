package org.apache.storm.daemon.nimbus;

import io.updraft.storm.LocalNimbus;
import io.updraft.storm.UpdraftCluster;
import java.util.concurrent.TimeUnit;
import org.apache.storm.daemon.DaemonCommon;
import org.apache.storm.daemon.Shutdownable;

/**
 * The Nimbus of a cluster in this process, from {@code LocalCluster.getNimbus}. It has the name of Storm's class and those of
 * its members that clients call.
 *
 * <p>All methods may be called from any thread.
 */
public class Nimbus extends LocalNimbus implements Shutdownable, DaemonCommon {
    /**
     * Creates the Nimbus of a cluster.
     *
     * @param cluster answers the calls
     */
    public Nimbus(UpdraftCluster cluster) {
        super(cluster);
    }

    /**
     * {@return true: there is one Nimbus, which is the leader}
     *
     * @param timeout ignored
     * @param timeUnit ignored
     */
    public boolean awaitLeadership(long timeout, TimeUnit timeUnit) {
        return true;
    }

    /** {@return true: a Nimbus without calls has nothing to do} */
    @Override
    public boolean isWaiting() {
        return true;
    }

    /** Ends the cluster. */
    @Override
    public void shutdown() {
        cluster().close();
    }
}
